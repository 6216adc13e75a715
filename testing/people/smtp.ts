import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { signInSubject } from '#server/mail/templates.ts'

export type SmtpServer = Awaited<ReturnType<typeof startSmtpServer>>

const patienceMs = 10_000
const codeSubject = new RegExp(`^${signInSubject('(\\d{6})')}$`)

/** Starts a real mail server that stores the mails it receives, oldest first. */
export async function startSmtpServer() {
  const mails: ReceivedMail[] = []
  const taken = new Set<ReceivedMail>()
  const arrived = new EventTarget()
  let refusing = false

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) =>
      done(refusing ? new Error('Refused by the test') : null),
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo.map(({ address }) => address)
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(readMail(Buffer.concat(chunks).toString(), to))
        arrived.dispatchEvent(new Event('mail'))
        done()
      })
    },
  })
  // Clients that disconnect early are expected in tests.
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo

  function unread(to: string, subject: RegExp): ReceivedMail | undefined {
    const mail = mails.find(
      each => each.to.includes(to.toLowerCase()) && subject.test(each.subject) && !taken.has(each),
    )
    if (mail) taken.add(mail)
    return mail
  }

  function next(to: string, subject = /^/): Promise<ReceivedMail> {
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => {
        arrived.removeEventListener('mail', look)
        reject(new Error(`No mail to ${to} within ${patienceMs / 1000} s`))
      }, patienceMs)
      function look() {
        const mail = unread(to, subject)
        if (!mail) return
        clearTimeout(timeout)
        arrived.removeEventListener('mail', look)
        resolve(mail)
      }
      arrived.addEventListener('mail', look)
      look()
    })
  }

  return {
    /** The value for SMTP_URL. */
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** Refuses all mails, or accepts them again. */
    refuse(refused: boolean) {
      refusing = refused
    },
    /** Takes the oldest unread mail to this address; waits for it up to ten seconds. */
    next: (to: string) => next(to),
    /** Like `next`, for a mail whose subject begins with this. Skips other mails. */
    nextTitled: (to: string, subject: string) => next(to, new RegExp(`^${subject}`)),
    /** Like `next`, for a mail about a sign-in. Skips other mails. */
    nextNews: (to: string) => next(to, /^New sign-in/),
    /** Like `next`, for the sign-in code of the oldest unread mail with one. Skips other mails. */
    async nextCode(to: string) {
      const { subject } = await next(to, codeSubject)
      return codeSubject.exec(subject)?.[1] ?? ''
    },
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

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
function readMail(raw: string, to: string[]): ReceivedMail {
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
