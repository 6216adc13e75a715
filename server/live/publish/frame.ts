import type { TeamId } from '#contract/ids.ts'
import type { Down, DownOf, RoomName } from '#contract/live.ts'
import { Refusal } from '#contract/refusal.ts'

/** One event as the bytes of a WebSocket text frame, encoded once and written to many sockets. */
export type Frame = Buffer

/** The kind of an event, so that the hub need not parse it. Only fixes may be skipped. */
export type EventKind = 'fix' | 'message' | 'receipt' | 'ended' | 'change' | 'event'

/** An event encoded once for all connections of a node and for the other nodes. */
export interface Framed {
  readonly kind: EventKind
  /** The version of a message; 0 for anything else. */
  readonly version: number
  /** The revision of its room after a counted change; 0 for anything else. */
  readonly revision: number
  readonly frame: Frame
}

/**
 * Events without content, after which clients request again what they show. With several nodes each is counted in its
 * room, so that a lost one is noticed and published again.
 */
export const changeEvents = ['race-changed', 'circuits-changed'] as const satisfies Down['t'][]

export type Change = DownOf<(typeof changeEvents)[number]>

export function isChange(event: Down): event is Change {
  return changeEvents.some(each => each === event.t)
}

export function frameEvent(event: Down, revision = 0): Framed {
  return {
    kind: isChange(event) ? 'change' : (kinds[event.t] ?? 'event'),
    version: event.t === 'message' ? event.message.version : 0,
    revision,
    frame: encodeFrame(event),
  }
}

const kinds: Partial<Record<Down['t'], EventKind>> = {
  fix: 'fix',
  // The next one follows within a second, too.
  official: 'fix',
  message: 'message',
  receipt: 'receipt',
  'session-ended': 'ended',
}

export function encodeFrame(event: Down): Frame {
  const text = JSON.stringify(event)
  const length = Buffer.byteLength(text)
  const frame = emptyFrame(length)
  frame.write(text, frame.length - length)
  return frame
}

/** Frames an event that another node has serialised already. */
export function frameOf(json: Uint8Array): Frame {
  const frame = emptyFrame(json.length)
  frame.set(json, frame.length - json.length)
  return frame
}

/** The JSON in a frame: a view, not a copy. */
export function jsonIn(frame: Frame): Buffer {
  return frame.subarray(frame[1] === 127 ? 10 : frame[1] === 126 ? 4 : 2)
}

/** The JSON of each frame in one write, which may join several. */
export function jsonsIn(write: Frame): Buffer[] {
  const jsons: Buffer[] = []
  for (let rest = write; rest.length > 0; ) {
    const json = jsonIn(rest)
    const headerLength = rest.length - json.length
    const length =
      headerLength === 2
        ? rest.readUInt8(1)
        : headerLength === 4
          ? rest.readUInt16BE(2)
          : Number(rest.readBigUInt64BE(2))
    jsons.push(json.subarray(0, length))
    rest = json.subarray(length)
  }
  return jsons
}

/** The header by RFC 6455, section 5.2: FIN and text opcode, unmasked, payload length in 7, 16 or 64 bits. */
function emptyFrame(length: number): Frame {
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headerLength + length)
  frame[0] = 0x81
  if (headerLength === 2) frame[1] = length
  else if (headerLength === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  return frame
}

/** The last frame that a former member of a team receives in a room of the team or of its sessions. */
export function evictedFrame(room: RoomName, team: TeamId): Down {
  if (room.startsWith('team:')) return { t: 'team-removed', team }
  const { code, message } = new Refusal('not-a-member')
  return { t: 'refused', re: 'subscribe', room, code, message }
}
