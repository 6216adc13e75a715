interface Postgres {
  url: string
  /** The folder of the server's programs; those of its client, such as `pg_dump`, may be elsewhere or missing. */
  programs: string
  halt(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}
export function startPostgres(options?: { durable?: boolean }): Promise<Postgres | null>
