interface Postgres {
  url: string
  halt(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}
export function startPostgres(): Promise<Postgres | null>
