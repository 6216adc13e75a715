export interface Mail {
  /** One e-mail address, without a name. */
  to: string
  subject: string
  text: string
  html: string
}

/** Capacity of the outbox; the oldest mails are dropped. */
const maxMails = 200

export interface StoredMail extends Mail {
  /** When it was sent, in milliseconds since the epoch. */
  at: number
}

/** Mails kept in memory instead of being sent. */
export interface Outbox {
  add(mail: Mail): void
  /** Lists mails newest first; all, or those to one address. */
  list(filter?: { to?: string | undefined }): StoredMail[]
}

export function createOutbox(print: (text: string) => void): Outbox {
  const mails: StoredMail[] = []
  return {
    add({ to, subject, text, html }) {
      mails.unshift({ to, subject, text, html, at: Date.now() })
      mails.length = Math.min(mails.length, maxMails)
      print(asText({ to, subject, text, html }))
    },
    list({ to } = {}) {
      return mails.filter(mail => to === undefined || mail.to === to.trim().toLowerCase())
    },
  }
}

function asText({ to, subject, text }: Mail): string {
  const lines = [`Mail to ${to}`, subject, '', ...text.trimEnd().split('\n')]
  return lines.map(line => `  | ${withoutControls(line)}`).join('\n')
}

/** Removes control characters, which a terminal would execute: strangers type parts of a mail. */
function withoutControls(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ')
}
