/** `https://…`, `mailto:…`, `www.…`, `host.com`, `name@host`, `\\\\server`, anywhere in a word. */
export const addressInWord =
  /:[\\/]|www[.。]|[\p{L}\p{N}][.。](?:com|net|org|info|biz|io|app|dev|xyz|shop|site|online)\b|\S@\S|\\\\|\/\/|(?:mailto|tel|sms|data|javascript|callto|skype|xmpp|file):/iu

/** Seven digits or more, with the signs between them that phone numbers have. "Racing 911" and "24h" have fewer. */
const phoneNumber = /(?:[+(]\s*)?\p{Nd}(?:[\s().\-/–+]*\p{Nd}){6,}/gu

/** A season, such as "2026/2027". */
const season = /^(?:19|20)\d\d\D{1,3}(?:19|20)\d\d$/

/** A date, such as "24.06.2026" or "2026-06-20". */
const date = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d\d|(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2})$/

/** True if a name contains a web or e-mail address or a phone number: names go out in mails to strangers. */
export function hasContactDetails(name: string): boolean {
  const text = name.normalize('NFKC')
  return text.split(/\s/u).some(word => addressInWord.test(word)) || withoutPhone(text) !== text
}

/** Removes phone numbers. */
export function withoutPhone(text: string): string {
  return text.replace(phoneNumber, digits =>
    season.test(digits) || date.test(digits) ? digits : '',
  )
}
