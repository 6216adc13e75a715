import { protocol } from '#contract/shared/liveRules.ts'
import { mqtt } from './fleet/mqtt.ts'
import { Opcode } from './frames.ts'
import type { WireProtocol } from './wireProtocol.ts'

const f = 'f'.charCodeAt(0)

/** Our own protocol, in the part that the naive server implements too. */
const pitboard: WireProtocol = {
  path: '/live',
  opcode: Opcode.text,
  first: ({ room, drives }) => [
    frameOf({ t: 'hello', protocol }),
    frameOf(drives ? { t: 'drive', session: room.slice(8) } : { t: 'subscribe', room }),
  ],
  respond(payload) {
    const type = payload.toString('latin1', 6, 14)
    if (type === 'snapshot') return { ready: true }
    return type.startsWith('refused') ? { refused: payload.toString() } : {}
  },
  isFix: (data, start) => data[start + 6] === f,
  fix: json => Buffer.from(json),
  heartbeat: frameOf({ t: 'heartbeat', at: 1 }),
}

/** Engine.IO 4 and Socket.IO 5 over a WebSocket: 0 open, 2 ping, 3 pong, 40 connect, 42 event. */
const socketIo: WireProtocol = {
  path: '/socket.io/?EIO=4&transport=websocket',
  opcode: Opcode.text,
  first: () => [],
  respond(payload, { room, drives }) {
    const text = payload.toString('latin1')
    if (text.startsWith('0{')) return { send: Buffer.from('40') }
    if (text === '2') return { send: Buffer.from('3') }
    if (text.startsWith('40')) {
      return { send: Buffer.from(`42${JSON.stringify([drives ? 'drive' : 'subscribe', room])}`) }
    }
    return text.startsWith('42["snapshot"') ? { ready: true } : {}
  },
  isFix: (data, start) => data[start + 4] === f,
  fix: json => Buffer.from(`42["fix",${json}]`),
  heartbeat: null,
}

export const wireProtocols = { pitboard, naive: pitboard, socketIo, mqtt }
export type WireProtocolName = keyof typeof wireProtocols

function frameOf(up: object): Buffer {
  return Buffer.from(JSON.stringify(up))
}
