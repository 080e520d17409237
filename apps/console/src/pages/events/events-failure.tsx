/** A failure in the words of the events service, which name a cause and an alternative. */
export function EventsFailure({ error }: { readonly error: Error }) {
  return (
    <p role="alert" className="border-l-2 border-bad px-4 py-3 break-words text-bad">
      {error.message}
    </p>
  );
}
