import { html } from './html.ts'
import { codeBoard, heading, linkButton, mailPage, paragraph } from './layout.ts'
import type { Mail } from './mailer.ts'
import { plainName } from './plainName.ts'

/** A mail without its address. */
type MailBody = Omit<Mail, 'to'>

interface CodeMail {
  /** Six digits. */
  code: string
  minutes: number
  publicUrl: string
}

/** The code also stands in the subject, so that it can be read from a notification. */
export function codeMail({ code, minutes, publicUrl }: CodeMail): MailBody {
  const where = `Enter it at ${publicUrl} within ${minutes} minutes. It works once.`
  const notAsked =
    'You did not ask for it? Then do nothing: without this code nobody gets in. Never pass it on.'
  return {
    subject: subjectLine(`${code} is your Pitboard code`),
    text: `Your Pitboard code is\n\n    ${code}\n\n${where}\n\n${notAsked}\n`,
    html: mailPage({
      title: 'Your Pitboard code',
      preview: where,
      body: html`${heading('Your code')}${codeBoard(code)}${paragraph(where)}`,
      footer: html`${notAsked}`,
    }),
  }
}

interface InvitationMail {
  /** As the member who invites typed it. */
  firstName: string
  teamName: string
  /** First and last name of the member who invites, if they have any. */
  inviterName: string | null
  /** Where people open the app. */
  url: string
}

/**
 * Tells a person that they are invited to a team. It says the same to everybody, with an account or without,
 * and all that strangers typed in it are names, made plain.
 */
export function invitationMail({ url, ...names }: InvitationMail): MailBody {
  const firstName = plainName(names.firstName, 'there')
  const teamName = plainName(names.teamName, 'without a name')
  const inviterName = plainName(names.inviterName ?? '', 'A team member')
  const news = `${inviterName} invited you to the team ${teamName} on Pitboard.`
  const what =
    'Sign in with the address this email came to, then accept or decline the invitation within 30 days. You get a code by email, there is no password.'
  const about =
    'Pitboard shows a racing team where its car is, and the driver what the team has to say.'
  const unknown =
    "If you don't know who this is, you can ignore this email: nobody becomes a member unasked."
  const label = 'Sign in'
  return {
    subject: subjectLine(`${inviterName} invited you to ${teamName}`),
    text: `${[`Hello ${firstName},`, news, what, `${label}: ${url}`, about, unknown].join('\n\n')}\n`,
    html: mailPage({
      title: `${inviterName} invited you`,
      preview: news,
      body: html`${heading(`Hello ${firstName}`)}${paragraph(news)}${paragraph(what)}${linkButton(label, url)}`,
      footer: html`${about} ${unknown}`,
    }),
  }
}

const longestSubject = 160

/** One line without control characters: nothing typed by a stranger can start another header. */
function subjectLine(text: string): string {
  const line = Array.from(singleLine(text))
  return line.length <= longestSubject
    ? line.join('')
    : `${line.slice(0, longestSubject - 1).join('')}…`
}

/** Without whatever breaks a line or turns the direction of the text around it. */
function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
