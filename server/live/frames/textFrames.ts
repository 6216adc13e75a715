import type { Duplex } from 'node:stream'
import { maxUpBytes } from '#contract/shared/liveRules.ts'
import { readDirectly } from './socketReader.ts'

/** FIN and the opcode of text, without reserved bits (RFC 6455, section 5.2). */
const wholeText = 0x81
const masked = 0x80
const lengthBits = 0x7f
const lengthIn16Bits = 126
const maskBytes = 4

/** Frames are decoded one at a time. */
const payload = Buffer.allocUnsafe(maxUpBytes)

/** Receives the texts of one connection. An object, because a closure for each of 10,000 connections takes 1 MB. */
interface TextReceiver {
  onMessage(text: string): void
}

/**
 * Passes each text frame to the receiver of a WebSocket that `ws` has opened on this stream. Nearly all frames of our
 * clients are short ASCII texts that arrive in one piece: they are decoded here, for a fraction of the time that `ws`
 * takes. From the first frame of another kind on, `ws` reads the stream. Other kinds are partial frames, fragments,
 * control frames, frames that violate the protocol, and texts with other characters, which `ws` validates.
 */
export function readTextFrames(stream: Duplex, receiver: TextReceiver) {
  if (!readDirectly(stream, receiver, decodeTexts)) readFromStream(stream, receiver)
}

function readFromStream(stream: Duplex, receiver: TextReceiver) {
  const [readByWs] = stream.listeners('data')
  if (!readByWs) return
  const listener = readByWs as (chunk: Buffer) => void
  function read(chunk: Buffer) {
    const start = decodeTexts(receiver, chunk, chunk.length)
    if (start === chunk.length) return
    stream.off('data', read).on('data', listener)
    listener.call(stream, chunk.subarray(start))
  }
  stream.off('data', listener).on('data', read)
}

/**
 * Decodes the frames in the first `length` bytes. Returns where the first frame begins that `ws` must read, or `length`
 * without any.
 */
function decodeTexts(receiver: TextReceiver, bytes: Buffer, length: number): number {
  let start = 0
  while (start < length) {
    const end = endOfText(bytes, start, length)
    const text = end === null ? null : decode(bytes, startOfPayload(bytes, start), end)
    if (end === null || text === null) break
    receiver.onMessage(text)
    start = end
  }
  return start
}

/** Returns the end of the frame that begins at `start`, or null if it is not a complete, short text frame. */
function endOfText(chunk: Buffer, start: number, chunkLength: number): number | null {
  const second = chunk[start + 1] ?? 0
  if (chunk[start] !== wholeText || second < masked) return null
  let length = second & lengthBits
  if (length === lengthIn16Bits) {
    if (start + maskBytes > chunkLength) return null
    length = chunk.readUInt16BE(start + 2)
  } else if (length > lengthIn16Bits) return null
  const end = startOfPayload(chunk, start) + length
  return length <= maxUpBytes && end <= chunkLength ? end : null
}

/** Returns the start of the payload, after the header, whose last bytes are the mask. */
function startOfPayload(chunk: Buffer, start: number): number {
  const length = (chunk[start + 1] ?? 0) & lengthBits
  return start + (length === lengthIn16Bits ? 4 : 2) + maskBytes
}

/** Returns the text, or null if it is not ASCII. */
function decode(chunk: Buffer, start: number, end: number): string | null {
  let bits = 0
  for (let at = start; at < end; at++) {
    const byte = (chunk[at] ?? 0) ^ (chunk[start - maskBytes + ((at - start) & 3)] ?? 0)
    payload[at - start] = byte
    bits |= byte
  }
  return bits < 0x80 ? payload.toString('latin1', 0, end - start) : null
}
