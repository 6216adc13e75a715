interface Postgres {
  url: string
  halt(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}
export function startPostgres(options?: { durable?: boolean }): Promise<Postgres | null>
