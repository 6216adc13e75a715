import type { Pace } from './fleet/crowd.ts'
import type { WireProtocolName } from './protocols.ts'
import type { ConnectionOrder } from './wireProtocol.ts'

/** A request to a load generator. */
export type Order =
  | { do: 'connect'; port: number; wire: WireProtocolName; connections: ConnectionOrder[] }
  | { do: 'catchUp'; historyS: number }
  | { do: 'drive'; pace: Pace; warmUpS: number; seconds: number; pids: number[] }

/** The response to the request with this number. */
export interface Answer {
  order: number
  measured?: Measured
  error?: string
}

/** Measurement of a server over some seconds. */
export interface Measured {
  seconds: number
  fixes: number
  deliveries: number
  /** CPU time of all given processes. */
  serverCpuS: number
  /** The part of `serverCpuS` in user mode, an estimate (`cpuModes`). */
  serverUserS: number
  /** The part of `serverCpuS` in the kernel, an estimate. */
  serverSystemS: number
  generatorCpuS: number
  p50Ms: number
  p99Ms: number
  /** Events about changed laps since the connections were opened. */
  lapEvents: number
  /** Events about changed stints or visits to the pits since the connections were opened. */
  pitEvents: number
  /** Connections closed by the server since they were opened, and the reason of the first one. */
  lost: number
  whyLost: string
}
