import { html } from './html.ts'
import { codeBoard, heading, linkButton, mailPage, paragraph } from './layout.ts'
import type { Mail } from './mailer.ts'

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
  /** The name or the address of the member who invites. */
  inviterName: string
  /** They have signed in before. */
  hasAccount: boolean
  /** Where people open the app. */
  url: string
}

/** Tells a person that they are in a team now. Names in it are typed by strangers. */
export function invitationMail({ hasAccount, url, ...names }: InvitationMail): MailBody {
  const firstName = singleLine(names.firstName)
  const teamName = singleLine(names.teamName)
  const inviterName = singleLine(names.inviterName)
  const news = `${inviterName} added you to the team ${teamName} on Pitboard.`
  const what = hasAccount
    ? 'It is in your list of teams now.'
    : 'Sign in with the address this email came to: you get a code by email, there is no password.'
  const about =
    'Pitboard shows a racing team where its car is, and the driver what the team has to say.'
  const unknown = `You do not know ${inviterName}? Then you can ignore this email.`
  const label = hasAccount ? 'Open Pitboard' : 'Sign in'
  return {
    subject: subjectLine(`${inviterName} added you to ${teamName}`),
    text: `${[`Hello ${firstName},`, news, what, `${label}: ${url}`, about, unknown].join('\n\n')}\n`,
    html: mailPage({
      title: `You are in ${teamName}`,
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
