import { Opcode } from './frames.ts'
import type { Talk } from './talks.ts'

/** Packet types of MQTT 3.1.1, section 2.2.1, as the first byte of the packets that are used here. */
const Packet = {
  connect: 0x10,
  connack: 0x20,
  publish: 0x30,
  subscribe: 0x82,
  suback: 0x90,
  ping: 0xc0,
}

/** Zero turns it off (section 3.1.2.10): the broker stands still while others are measured. */
const keepAliveS = 0

/** MQTT 3.1.1 over a WebSocket: the room is the topic, each fix is published with quality of service 0. */
export const mqtt: Talk = {
  path: '/mqtt',
  subprotocol: 'mqtt',
  opcode: Opcode.binary,
  first: () => [
    // Protocol level 4, a clean session, and a client id that the server makes up.
    packet(
      Packet.connect,
      Buffer.concat([text('MQTT'), Buffer.from([4, 2, 0, keepAliveS]), text('')]),
    ),
  ],
  react(payload, { room, drives }) {
    if (payload[0] === Packet.suback) return { ready: true }
    if (payload[0] !== Packet.connack) return {}
    if (payload[3] !== 0) return { refused: `CONNACK ${payload[3]}` }
    if (drives) return { ready: true }
    const subscription = Buffer.concat([Buffer.from([0, 1]), text(room), Buffer.from([0])])
    return { say: packet(Packet.subscribe, subscription) }
  },
  isFix: (data, start) => data[start] === Packet.publish,
  fix: (json, { room }) => packet(Packet.publish, Buffer.concat([text(room), Buffer.from(json)])),
  beat: packet(Packet.ping, Buffer.alloc(0)),
}

/** A string as MQTT writes it: its length in two bytes, then UTF-8. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}

/** A packet with the remaining length in one byte or two, 7 bits each (section 2.2.3). */
function packet(type: number, body: Buffer): Buffer {
  const length = body.length < 128 ? [body.length] : [0x80 | (body.length & 0x7f), body.length >> 7]
  return Buffer.concat([Buffer.from([type, ...length]), body])
}
