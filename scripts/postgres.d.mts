/** Null when the machine has no PostgreSQL. */
export function startPostgres(): Promise<{ url: string; stop: () => Promise<void> } | null>
