import type { Opcode } from './frames.ts'

/** Describes one connection of the crowd. */
export interface ConnectionOrder {
  /** Token of a device's login. Only our own server requires it. */
  token: string
  /** `session:ID`. */
  room: string
  drives: boolean
  /** Offset of its car in the drive that all cars repeat, in tenths of a second (`offsetAt`). */
  offset: number
  /** Whether the latency of its fixes is measured. */
  sampled: boolean
}

/** How the client responds to a frame other than a fix. */
export interface ClientResponse {
  send?: Buffer
  /** Set once it is subscribed to its room. */
  ready?: true
  refused?: string
}

/** Client protocol of one kind of server. All transport the same fixes at the same rate. */
export interface WireProtocol {
  path: string
  subprotocol?: string
  opcode: typeof Opcode.text | typeof Opcode.binary
  /** Frames sent as soon as the connection is open. */
  first(order: ConnectionOrder): Buffer[]
  respond(payload: Buffer, order: ConnectionOrder): ClientResponse
  isFix(data: Buffer, start: number): boolean
  /** Encodes a fix to send, from its JSON. */
  fix(json: string, order: ConnectionOrder): Buffer
  /** Heartbeat to send every 2.5 s; null if the server sends pings instead. */
  heartbeat: Buffer | null
}
