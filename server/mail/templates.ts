import { addressInWord, withoutPhone } from '#contract/shared/contactDetails.ts'
import { invitationDays } from '#contract/shared/lifetimes.ts'
import { withoutInvisible } from '#contract/text.ts'
import { html } from './html.ts'
import { codeBoard, heading, linkButton, mailPage, paragraph } from './layout.ts'
import type { Mail } from './outbox.ts'

/** A mail without its recipient. */
type MailBody = Omit<Mail, 'to'>

interface CodeMail {
  /** Six digits. */
  code: string
  minutes: number
  publicUrl: string
}

export const signInSubject = (code: string) => `${code} is your Pitboard code`

/** Composes the mail with a sign-in code. The subject repeats the code, so that a notification shows it. */
export function signInMail({ code, minutes, publicUrl }: CodeMail): MailBody {
  const where = `Enter it at ${publicUrl} within ${minutes} minutes. It works once.`
  const notAsked =
    'If you did not request this code, you can ignore this email: nobody can sign in without it. Never share it.'
  return {
    subject: subjectLine(signInSubject(code)),
    text: `Your Pitboard code is\n\n    ${code}\n\n${where}\n\n${notAsked}\n`,
    html: mailPage({
      title: 'Your Pitboard code',
      preview: where,
      body: html`${heading('Your code')}${codeBoard(code)}${paragraph(where)}`,
      footer: html`${notAsked}`,
    }),
  }
}

/** Composes the mail with a code to the current address of an account that wants another one. */
export function oldAddressMail(mail: CodeMail): MailBody {
  return addressMail(mail, {
    subject: `${mail.code} confirms the change of your email address`,
    what: 'Somebody who is signed in as you wants to change the email address of your Pitboard account.',
    notAsked:
      'If not, do not share this code: nothing changes without it. Open Pitboard, choose “Your profile”, then “Signed-in devices”, and sign out every device that you do not recognise.',
  })
}

/** Composes the mail with a code to the new address of an account, which may belong to somebody else. */
export function newAddressMail(mail: CodeMail): MailBody {
  return addressMail(mail, {
    subject: `${mail.code} confirms your new email address`,
    what: 'Somebody wants to use this email address for their Pitboard account.',
    notAsked:
      'If not, you can ignore this email: nothing changes without this code. Never share it.',
  })
}

function addressMail(
  { code, minutes, publicUrl }: CodeMail,
  { subject, what, notAsked }: { subject: string; what: string; notAsked: string },
): MailBody {
  const where = `If that is you, enter this code at ${publicUrl} within ${minutes} minutes.`
  return {
    subject: subjectLine(subject),
    text: `${what}\n\n    ${code}\n\n${where}\n\n${notAsked}\n`,
    html: mailPage({
      title: 'Your Pitboard code',
      preview: what,
      body: html`${heading('Your code')}${paragraph(what)}${codeBoard(code)}${paragraph(where)}`,
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
  /** URL of the page that accepts the invitation after a sign-in. */
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
  const what = `Accept within ${invitationDays} days, and sign in with the address that this email was sent to: you get a code by email and need no password. Then you are in the team.`
  const about =
    'Pitboard shows a racing team where its car is, and shows the driver the messages of the team.'
  const unknown =
    "If you don't know who this is, you can ignore this email: you only become a member if you accept."
  const label = 'Accept'
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

interface NewDeviceMail {
  /** In milliseconds since the epoch. */
  at: number
  /** Names from our own lists, never text that the client sent; `device` for a device token. */
  device: { browser: string | null; system: string | null } | 'device'
  publicUrl: string
}

/** Composes the mail about a sign-in from a new browser or device. It contains no text that the client sent. */
export function newDeviceMail({ at, device, publicUrl }: NewDeviceMail): MailBody {
  const when = `${dateAndTime.format(at)} (UTC)`
  const news = `Somebody signed in to your Pitboard account on ${when}, with ${nameOf(device)}.`
  const ifKnown = 'If this was you, there is nothing to do.'
  const ifUnknown =
    'If not, open Pitboard, choose “Your profile”, then “Signed-in devices”, and sign it out there. Its access ends at once. Whoever it was can read your email or use your Google account, so change those passwords too.'
  const why =
    'You get this email because this browser or device had not been used with your account before.'
  const label = 'Open Pitboard'
  return {
    subject: subjectLine('New sign-in to your Pitboard account'),
    text: `${[news, ifKnown, ifUnknown, `${label}: ${publicUrl}`, why].join('\n\n')}\n`,
    html: mailPage({
      title: 'New sign-in',
      preview: news,
      body: html`${heading('New sign-in')}${paragraph(news)}${paragraph(ifKnown)}${paragraph(ifUnknown)}${linkButton(label, publicUrl)}`,
      footer: html`${why}`,
    }),
  }
}

/** Composes the mail that confirms the deletion of an account. */
export function accountDeletedMail(): MailBody {
  const news = 'Your Pitboard account was deleted.'
  const details =
    'Your positions, your name and your email address were removed. Teams that you shared with others keep their sessions and messages, without your name. You can sign up again with this address at any time: that makes a new account.'
  const why = 'You get this email because your account had this email address.'
  return {
    subject: subjectLine('Your Pitboard account was deleted'),
    text: `${[news, details, why].join('\n\n')}\n`,
    html: mailPage({
      title: 'Account deleted',
      preview: news,
      body: html`${heading('Account deleted')}${paragraph(news)}${paragraph(details)}`,
      footer: html`${why}`,
    }),
  }
}

const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

function nameOf(device: NewDeviceMail['device']): string {
  if (device === 'device') return 'a device or program without a browser'
  const { browser, system } = device
  if (browser !== null && system !== null) return `${browser} on ${system}`
  return browser ?? (system === null ? 'an unknown browser' : `a browser on ${system}`)
}

const maxSubjectLetters = 160

/** Limits the subject to one line without control characters, so that a typed name cannot inject a header. */
function subjectLine(text: string): string {
  const line = Array.from(singleLine(text))
  return line.length <= maxSubjectLetters
    ? line.join('')
    : `${line.slice(0, maxSubjectLetters - 1).join('')}…`
}

/** Replaces characters that break a line or change the direction of the text around them. */
function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/**
 * Sanitises a typed name for a mail, so that no mail client turns part of it into a link. Phone numbers and words with
 * an email or web address are removed, which names stored earlier may contain; a word that only looks like a host
 * ("St.Pierre") gets a space after the dot. Returns `otherwise` if nothing is left.
 */
export function plainName(name: string, otherwise: string): string {
  // Compatibility forms first: programs read a fullwidth dot as a dot.
  const text = withoutInvisible(name.normalize('NFKC').replace(breaking, ' '))
  const words = withoutInvisible(withoutPhone(text)).split(' ')
  const harmless = words
    .filter(word => !addressInWord.test(word))
    .map(word => word.replace(hostDot, '$& '))
  return harmless.join(' ') || otherwise
}

/** Line breaks, control characters, and characters that change the direction of the text. */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

/** A dot before a possible top-level domain; ideographic dots count as dots in hosts. */
const hostDot = /[.。](?=\p{L})/gu
