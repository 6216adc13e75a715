import { html } from './html.ts'
import { codeBoard, heading, linkButton, mailPage, paragraph } from './layout.ts'
import type { Mail } from './outbox.ts'
import { plainName } from './plainName.ts'

/** A mail without its recipient. */
type MailBody = Omit<Mail, 'to'>

interface CodeMail {
  /** Six digits. */
  code: string
  minutes: number
  publicUrl: string
}

/** Composes the mail with a sign-in code. The subject repeats the code, so that a notification shows it. */
export function codeMail({ code, minutes, publicUrl }: CodeMail): MailBody {
  const where = `Enter it at ${publicUrl} within ${minutes} minutes. It works once.`
  const notAsked =
    'If you did not request this code, you can ignore this email: nobody can sign in without it. Never share it.'
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
  /** As the inviting member typed it. */
  firstName: string
  teamName: string
  /** First and last name of the inviting member, if they have any. */
  inviterName: string | null
  /** Public address of the app. */
  url: string
}

/**
 * Composes an invitation to a team. It does not reveal whether the recipient has an account, and names
 * typed by strangers are sanitised.
 */
export function invitationMail({ url, ...names }: InvitationMail): MailBody {
  const firstName = plainName(names.firstName, 'there')
  const teamName = plainName(names.teamName, 'without a name')
  const inviterName = plainName(names.inviterName ?? '', 'A team member')
  const news = `${inviterName} invited you to the team ${teamName} on Pitboard.`
  const what =
    'Sign in with the address this email came to, then accept or decline the invitation within 30 days. You get a code by email, there is no password.'
  const about =
    'Pitboard shows a racing team where its car is, and the driver the messages of the team.'
  const unknown =
    "If you don't know who this is, you can ignore this email: you only become a member if you accept."
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

/**
 * Limits the subject to one line without control characters, so that a typed name cannot inject a header.
 */
function subjectLine(text: string): string {
  const line = Array.from(singleLine(text))
  return line.length <= longestSubject
    ? line.join('')
    : `${line.slice(0, longestSubject - 1).join('')}…`
}

/** Replaces characters that break a line or change the direction of the text around them. */
function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
