/** Opcodes of RFC 6455, section 5.2. */
export const Opcode = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** Any key will do between two processes of one machine; all zeros would spare the server its work. */
const maskingKey = Buffer.from([0x37, 0xfa, 0x21, 0x3d])

/** One whole frame of a client by RFC 6455, section 5.2: masked, at most 65,535 bytes of payload. */
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

/** Told of the frames that a FrameReader finds. */
export interface Ear {
  /** Looks at the first bytes of a payload: a fix, which is counted without being read. */
  isFix(data: Buffer, start: number): boolean
  /** Whether `onFix` wants the whole payload; else it is called with its first bytes at most. */
  readonly wantsFixes: boolean
  onFix(data: Buffer, start: number, end: number): void
  onOther(opcode: number, payload: Buffer): void
}

/** As many bytes as `isFix` of any server needs to see. */
const enoughToTell = 8

/** Finds the frames of a server in what comes from a socket, and copies as little as it can. */
export class FrameReader {
  readonly #ear: Ear
  /** The beginning of a frame whose rest has not come. */
  #rest: Buffer | undefined
  /** Bytes of a frame that was told already and need not be looked at. */
  #skip = 0

  constructor(ear: Ear) {
    this.#ear = ear
  }

  /** Takes the next bytes. They may be overwritten as soon as this returns. */
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

  /** Tells of the frame that begins here. Answers where the next one begins; undefined while too little has come. */
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
    if (data.length < Math.min(end, start + enoughToTell)) return undefined
    if (opcode <= Opcode.binary && length > enoughToTell && this.#ear.isFix(data, start)) {
      if (this.#ear.wantsFixes && data.length < end) return undefined
      this.#ear.onFix(data, start, end)
      return end
    }
    if (data.length < end) return undefined
    this.#ear.onOther(opcode, data.subarray(start, end))
    return end
  }
}
