import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { type ReceivedMail, readMail } from './mime.ts'

export interface SmtpSink extends AsyncDisposable {
  /** For SMTP_URL. */
  url: string
  /** Every mail so far, oldest first. */
  mails: ReceivedMail[]
  /** The oldest mail to this address that nobody asked for yet; waits for it up to ten seconds. */
  next(to: string): Promise<ReceivedMail>
  /** From here on every mail is refused, or taken again. */
  refuse(refused: boolean): void
}

const patienceMs = 10_000

/** A real mail server on this machine that keeps what it gets. */
export async function smtpSink(): Promise<SmtpSink> {
  const mails: ReceivedMail[] = []
  const given = new Set<ReceivedMail>()
  const arrived = new EventTarget()
  let refusing = false

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => done(refusing ? new Error('Not today') : null),
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
  // A client that hangs up in the middle is that client's test.
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo

  function unread(to: string): ReceivedMail | undefined {
    const mail = mails.find(each => each.to.includes(to.toLowerCase()) && !given.has(each))
    if (mail) given.add(mail)
    return mail
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse(refused) {
      refusing = refused
    },
    next: to =>
      new Promise((resolve, reject) => {
        const giveUp = setTimeout(() => {
          arrived.removeEventListener('mail', look)
          reject(new Error(`No mail to ${to} came within ${patienceMs / 1000} s.`))
        }, patienceMs)
        function look() {
          const mail = unread(to)
          if (!mail) return
          clearTimeout(giveUp)
          arrived.removeEventListener('mail', look)
          resolve(mail)
        }
        arrived.addEventListener('mail', look)
        look()
      }),
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}
