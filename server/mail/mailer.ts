import { createTransport } from 'nodemailer'
import { createOutbox, type Mail, type Outbox } from './outbox.ts'

/** Sends mail by SMTP, or keeps it in an outbox on this machine. */
export interface Mailer {
  /** Resolves once the mail server has accepted the mail; rejects after a timeout of 20 seconds. */
  send(mail: Mail): Promise<void>
  /** Present only without a mail server: the mails never leave this machine. */
  readonly outbox?: Outbox
  close(): void
}

interface MailSettings {
  smtpUrl: string | undefined
  /** As in a From header: `Pitboard <pitboard@example.com>`. */
  from: string
  /** Prints a kept mail as readable text, such as to the terminal. Without it, and without a server, sending fails. */
  print: ((text: string) => void) | undefined
}

export function createMailer({ smtpUrl, from, print }: MailSettings): Mailer {
  if (smtpUrl !== undefined) return smtpMailer(smtpUrl, from)
  if (print === undefined)
    return {
      send: () => Promise.reject(new Error('no mail server is configured')),
      close: () => {},
    }
  const outbox = createOutbox(print)
  return {
    outbox,
    send: async mail => outbox.add(mail),
    close: () => {},
  }
}

/** Timeout of each step of the SMTP dialogue. */
const stepTimeoutMs = 10_000
/** Timeout of the whole delivery: the user sees a spinner until then. */
const sendTimeoutMs = 20_000

function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    // If the mail server disconnects during the delivery, it is retried once.
    maxRequeues: 1,
    dnsTimeout: stepTimeoutMs,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    // Mail content must never be loaded from a file or another server.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, text, html }) => {
      const signal = AbortSignal.timeout(sendTimeoutMs)
      // As an object, so that the address cannot be parsed as two.
      const address = { name: '', address: to }
      await transport.sendMail({ from, to: address, subject, text, html, signal })
    },
    close: () => transport.close(),
  }
}
