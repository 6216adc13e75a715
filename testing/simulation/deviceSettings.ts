import type { UnsentFix } from '#client/fixes/unsentFixes.ts'
import type { Up } from '#contract/live.ts'
import type { Answer, Call } from './node.ts'
import type { Random } from './random.ts'
import type { Connection } from './sockets.ts'
import type { VirtualTime } from './virtualTime.ts'

/** The servers, as seen by a device. */
export interface Servers {
  connect(connection: Connection, token: string): void
  /** Null if there was no response. */
  answer(call: Call): Promise<Answer | null>
}

export interface DeviceSettings {
  name: string
  /** Bearer token of the login on this device. */
  token: string
  time: VirtualTime
  random: Random
  servers: Servers
  /** Offset of the device's wall clock from true time. */
  wallOffsetMs: number
  /** Clock drift of the device, in parts per million. */
  driftPpm: number
  /** Whether its monotonic clock stops during sleep, as in some browsers. */
  pausesMonotonic: boolean
  trace: (what: 'up' | 'down' | 'page', text: string) => void
  /** Observes, changes or drops frames sent by its pages. */
  filterUp?: (frame: Up, text: string) => string[]
  /** Called when a fix was stored on the device. */
  onFixStored?: (fix: UnsentFix) => void
  /** Observes frames for the device when a server sends them. */
  onServerSend?: (text: string) => void
  /** Observes frames of the device when they arrive at a server. */
  onServerReceive?: (text: string) => void
}
