import { createTransport } from 'nodemailer'
import { createOutbox, type Outbox } from './outbox.ts'

export interface Mail {
  /** One address, without a name. */
  to: string
  subject: string
  text: string
  html: string
}

/** Sends mail: by SMTP, or into an outbox that stays on this machine. */
export interface Mailer {
  /** Resolves once the mail server has taken the mail; throws if it did not within 20 seconds. */
  send(mail: Mail): Promise<void>
  /** There only when no mail server is set: the mails never leave this machine. */
  readonly outbox?: Outbox
  close(): void
}

interface MailSettings {
  smtpUrl: string | undefined
  /** As in a From header: `Pitboard <pitboard@example.com>`. */
  from: string
  /** Where a mail that stays here is shown as readable text, such as the terminal. */
  print: (text: string) => void
}

export function createMailer({ smtpUrl, from, print }: MailSettings): Mailer {
  if (smtpUrl !== undefined) return smtpMailer(smtpUrl, from)
  const outbox = createOutbox(print)
  return {
    outbox,
    send: async mail => outbox.add(mail),
    close: () => {},
  }
}

/** For each step of a conversation with the mail server. */
const stepTimeoutMs = 10_000
/** For the whole of it: someone looks at a spinner until then. */
const sendTimeoutMs = 20_000

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    // A mail server that closes while it takes the mail is tried once more, then it is a failure.
    maxRequeues: 1,
    dnsTimeout: stepTimeoutMs,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    // What a mail is made of is never read from a file or another server.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, text, html }) => {
      const signal = AbortSignal.timeout(sendTimeoutMs)
      // As an object, so that nothing in it is read as a second address.
      const address = { name: '', address: to }
      await transport.sendMail({ from, to: address, subject, text, html, signal })
    },
    close: () => transport.close(),
  }
}
