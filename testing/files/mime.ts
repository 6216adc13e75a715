export interface ReceivedMail {
  /** The addresses of the envelope. */
  to: string[]
  /** Unfolded raw values by lower-case name. */
  headers: Map<string, string>
  subject: string
  text: string
  html: string
}

interface Part {
  headers: Map<string, string>
  body: string
}

/** Parses a mail of our server, with a text and an HTML part. */
export function readMail(raw: string, to: string[]): ReceivedMail {
  const whole = readPart(raw)
  const parts = leavesOf(whole)
  return {
    to,
    headers: whole.headers,
    subject: decodeWords(whole.headers.get('subject') ?? ''),
    text: contentOf(parts, 'text/plain'),
    html: contentOf(parts, 'text/html'),
  }
}

function readPart(raw: string): Part {
  const end = /\r?\n\r?\n/.exec(raw)
  const head = end ? raw.slice(0, end.index) : raw
  const body = end ? raw.slice(end.index + end[0].length) : ''
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { headers: new Map(headers), body }
}

function leavesOf(part: Part): Part[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(part.headers.get('content-type') ?? '')?.[1]
  if (boundary === undefined) return [part]
  const pieces = part.body.split(`--${boundary}`).slice(1, -1)
  return pieces.flatMap(piece => leavesOf(readPart(piece.replace(/^\r?\n/, ''))))
}

function contentOf(parts: Part[], type: string): string {
  const part = parts.find(each => each.headers.get('content-type')?.startsWith(type))
  if (!part) return ''
  const encoding = part.headers.get('content-transfer-encoding')?.toLowerCase()
  const body = part.body.replace(/\r\n/g, '\n')
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding === 'quoted-printable') return bytesOf(body.replace(/=\n/g, '')).toString()
  return body
}

/** Decodes quoted-printable text (`=C3=BC` mixed with plain characters) to bytes. */
function bytesOf(quoted: string): Buffer {
  const pieces = quoted.match(/(?:=[0-9A-F]{2})+|[^=]+|=/gi) ?? []
  return Buffer.concat(
    pieces.map(piece =>
      /^=[0-9A-F]{2}/i.test(piece)
        ? Buffer.from(piece.replaceAll('=', ''), 'hex')
        : Buffer.from(piece),
    ),
  )
}

/** Decodes encoded words (`=?UTF-8?Q?…?=`, `=?UTF-8?B?…?=`); spaces between them are dropped (RFC 2047). */
function decodeWords(header: string): string {
  return header.replace(/\?=\s+=\?/g, '?==?').replace(/(?:=\?utf-8\?[qb]\?[^?]*\?=)+/gi, words => {
    const bytes = [...words.matchAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi)].map(
      ([, kind = '', encoded = '']) =>
        kind.toLowerCase() === 'b'
          ? Buffer.from(encoded, 'base64')
          : bytesOf(encoded.replaceAll('_', ' ')),
    )
    return Buffer.concat(bytes).toString()
  })
}
