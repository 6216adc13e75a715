import type { Notice } from './bus.ts'
import { type EventKind, frameOf, jsonIn } from './frame.ts'

/**
 * Encodes a notice for the bus: a short header, then JSON. The header of an event is its kind and its version or revision, if it
 * has one, such as `message 7{"t":…}`, so that the receiving node forwards the JSON without parsing it.
 */
export function packNotice(notice: Notice): Uint8Array {
  if (notice.do !== 'publish') return Buffer.from(`notice${JSON.stringify(notice)}`)
  const { kind, version, revision, frame } = notice.framed
  const number = version || revision
  const head = number > 0 ? `${kind} ${number}` : kind
  return Buffer.concat([Buffer.from(head), jsonIn(frame)])
}

/** Throws if the bytes are not a notice, as from a node of another version or another program. */
export function unpackNotice(bytes: Uint8Array): Notice {
  const start = bytes.indexOf(openingBrace)
  const [kind = '', number = '0'] = Buffer.from(bytes.subarray(0, Math.max(0, start)))
    .toString()
    .split(' ')
  const json = bytes.subarray(start)
  if (kind === 'notice') return JSON.parse(Buffer.from(json).toString()) as Notice
  if (start < 0 || !isKind(kind)) throw new Error('the bus delivered bytes that are not a notice')
  const [version, revision] = kind === 'change' ? [0, Number(number)] : [Number(number), 0]
  return { do: 'publish', framed: { kind, version, revision, frame: frameOf(json) } }
}

const openingBrace = 0x7b

const kinds: Record<EventKind, true> = {
  fix: true,
  message: true,
  receipt: true,
  ended: true,
  change: true,
  event: true,
}

function isKind(text: string): text is EventKind {
  return Object.hasOwn(kinds, text)
}
