/** Opcodes of RFC 6455, section 5.2. */
export const Opcode = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** Any key works between two processes of one machine; all zeros would save the server work. */
const maskingKey = Buffer.from([0x37, 0xfa, 0x21, 0x3d])

/** Encodes one whole client frame by RFC 6455, section 5.2: masked, at most 65,535 bytes of payload. */
export function clientFrame(opcode: number, payload: Buffer): Buffer {
  const headerLength = payload.length < 126 ? 2 : 4
  const frame = Buffer.allocUnsafe(headerLength + 4 + payload.length)
  frame[0] = 0x80 | opcode
  if (headerLength === 2) frame[1] = 0x80 | payload.length
  else {
    frame[1] = 0x80 | 126
    frame.writeUInt16BE(payload.length, 2)
  }
  maskingKey.copy(frame, headerLength)
  const start = headerLength + 4
  for (let n = 0; n < payload.length; n++) {
    frame[start + n] = (payload[n] ?? 0) ^ (maskingKey[n & 3] ?? 0)
  }
  return frame
}

/** Handler of the frames that a FrameReader finds. */
export interface FrameHandler {
  /** Detects a fix by the first bytes of a payload, so that it is counted without parsing. */
  isFix(data: Buffer, start: number): boolean
  /** Whether `onFix` needs the whole payload; otherwise it may be called with only its first bytes. */
  readonly wantsFixes: boolean
  onFix(data: Buffer, start: number, end: number): void
  onOther(opcode: number, payload: Buffer): void
}

/** The number of bytes that `isFix` needs for any server. */
const detectionBytes = 8

/** Parses the server's frames from socket data, copying as little as possible. */
export class FrameReader {
  readonly #handler: FrameHandler
  /** The beginning of an incomplete frame. */
  #rest: Buffer | undefined
  /** Remaining bytes of a frame that was already handled. */
  #skip = 0

  constructor(handler: FrameHandler) {
    this.#handler = handler
  }

  /** Reads the next chunk. Its buffer may be reused as soon as this returns. */
  read(chunk: Buffer) {
    const data = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk
    this.#rest = undefined
    let offset = this.#skip
    while (offset < data.length) {
      const next = this.#frame(data, offset)
      if (next === undefined) {
        this.#rest = Buffer.from(data.subarray(offset))
        break
      }
      offset = next
    }
    this.#skip = Math.max(0, offset - data.length)
  }

  /**
   * Handles the frame at this offset. Returns the offset of the next one; undefined while the frame is
   * incomplete.
   */
  #frame(data: Buffer, offset: number): number | undefined {
    const short = (data[offset + 1] ?? 0) & 0x7f
    const start = offset + (short < 126 ? 2 : short === 126 ? 4 : 10)
    if (data.length < start) return undefined
    const length =
      short < 126
        ? short
        : short === 126
          ? data.readUInt16BE(offset + 2)
          : Number(data.readBigUInt64BE(offset + 2))
    const end = start + length
    const opcode = (data[offset] ?? 0) & 0x0f
    if (data.length < Math.min(end, start + detectionBytes)) return undefined
    if (opcode <= Opcode.binary && length > detectionBytes && this.#handler.isFix(data, start)) {
      if (this.#handler.wantsFixes && data.length < end) return undefined
      this.#handler.onFix(data, start, end)
      return end
    }
    if (data.length < end) return undefined
    this.#handler.onOther(opcode, data.subarray(start, end))
    return end
  }
}
