import type { Pace } from './crowd.ts'
import type { LineOrder, TalkName } from './talks.ts'

/** What a generator is told to do. */
export type Order =
  | { do: 'connect'; port: number; talk: TalkName; lines: LineOrder[] }
  | { do: 'drive'; pace: Pace; warmUpS: number; seconds: number; pids: number[] }

/** What it answers to the order with this number. */
export interface Answer {
  order: number
  measured?: Measured
  error?: string
}

/** What was seen of a server for some seconds. */
export interface Measured {
  seconds: number
  fixes: number
  deliveries: number
  /** Of all processes that were named. */
  serverCpuS: number
  generatorCpuS: number
  p50Ms: number
  p99Ms: number
  /** Lines that the server closed since they were opened, and why the first one. */
  lost: number
  whyLost: string
}
