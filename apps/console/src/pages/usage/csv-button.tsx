import { useMutation } from '@tanstack/react-query';
import { readText } from '../../api/call-gateway.js';
import type { UsageFilters } from '../../api/queries.js';
import { Button } from '../../elements/button.js';
import { Download } from '../../elements/icons.js';

/** Downloads the figures as the gateway's own CSV. A link could not: the token belongs in a header. */
export function CsvButton({ query }: { readonly query: UsageFilters }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const csv = await readText('sumUsage', { query: { ...query, format: 'csv' } });
      const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
      const link = document.createElement('a');
      link.href = url;
      link.download = `forecourt-usage-${new Date().toISOString().slice(0, 10)}.csv`;
      link.click();
      URL.revokeObjectURL(url);
    },
  });
  return (
    <>
      <Button disabled={isPending} onClick={() => mutate()}>
        <Download /> CSV
      </Button>
      {error && (
        <span role="alert" className="text-bad">
          {error.message}
        </span>
      )}
    </>
  );
}
