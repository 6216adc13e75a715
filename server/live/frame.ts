import type { Down } from '#contract/live.ts'

/** One event as the bytes of a WebSocket text frame: made once, written to many sockets. */
export type Frame = Buffer

/** Frames an event by RFC 6455, section 5.2: FIN and text opcode, unmasked, payload length in 7, 16 or 64 bits. */
export function encodeFrame(event: Down): Frame {
  const text = JSON.stringify(event)
  const length = Buffer.byteLength(text)
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
  frame.write(text, headerLength)
  return frame
}
