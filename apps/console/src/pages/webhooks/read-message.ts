/**
 * A message in lines, and the reservation that it is about; null: it is about none. A body that is not JSON
 * is shown as it is.
 */
export function readMessage(body: string): {
  readonly text: string;
  readonly reservationId: number | null;
} {
  try {
    const message = JSON.parse(body) as { readonly data?: { readonly reservation_id?: unknown } };
    const id = message.data?.reservation_id;
    return {
      text: JSON.stringify(message, null, 2),
      reservationId: Number.isSafeInteger(id) ? (id as number) : null,
    };
  } catch {
    return { text: body, reservationId: null };
  }
}
