import { describe, expect, test } from 'vitest'
import { invitationMail, newDeviceMail, signInMail } from './templates.ts'

const invitation = {
  firstName: 'Leo',
  teamName: 'Night Owls',
  inviterName: 'Ana Prost',
  url: 'https://pitboard.example',
}

describe('the code mail', () => {
  const mail = signInMail({ code: '012345', minutes: 10, publicUrl: 'https://pitboard.example' })

  test('has the code in the subject, the text and the HTML', () => {
    expect(mail.subject).toBe('012345 is your Pitboard code')
    expect(mail.text).toMatch(/^ {4}012345$/m)
    expect(mail.html).toContain('>012345</div>')
  })

  test('states where and for how long the code is valid', () => {
    expect(mail.text).toContain('at https://pitboard.example within 10 minutes')
    expect(mail.html).toContain('at https://pitboard.example within 10 minutes')
  })

  test('follows the theme of the reader', () => {
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">')
    expect(mail.html).toContain('prefers-color-scheme: dark')
    expect(mail.html).not.toMatch(/<script|<img|<link|<table/)
  })
})

describe('the mail about a new device', () => {
  test.each([
    [{ browser: 'Chrome', system: 'Android' }, 'with Chrome on Android.'],
    [{ browser: 'Firefox', system: null }, 'with Firefox.'],
    [{ browser: null, system: 'Windows' }, 'with a browser on Windows.'],
    [{ browser: null, system: null }, 'with an unknown browser.'],
    ['device' as const, 'with a device or program without a browser.'],
  ])('names when and with what: %o', (device, named) => {
    const at = Date.UTC(2026, 10, 3, 9, 5)
    const mail = newDeviceMail({ at, device, publicUrl: 'https://pitboard.example' })
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('3 November 2026 at 09:05 (UTC)')
      expect(body).toContain(named)
      expect(body).toContain('Signed-in devices')
      expect(body).toContain('https://pitboard.example')
    }
  })
})

describe('the invitation mail', () => {
  test('names the inviter and the team, and how to respond', () => {
    const mail = invitationMail(invitation)
    expect(mail.subject).toBe('Ana Prost invited you to Night Owls')
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('Hello Leo')
      expect(body).toContain('Ana Prost invited you to the team Night Owls')
      expect(body).toContain('Accept within 30 days')
      expect(body).toContain('https://pitboard.example')
    }
  })

  test('has a fallback for an inviter without a name', () => {
    const { subject } = invitationMail({ ...invitation, inviterName: null })
    expect(subject).toBe('A team member invited you to Night Owls')
  })

  test('links only to this server, whatever the names contain', () => {
    const lure = 'Verify now: https://evil.example/login www.evil.example help@evil.example'
    const mail = invitationMail({
      ...invitation,
      firstName: lure,
      teamName: lure,
      inviterName: lure,
    })
    for (const text of [mail.subject, mail.text, mail.html]) {
      expect(text).toContain('Verify now')
      expect(text).not.toContain('evil')
    }
  })

  test('escapes typed names', () => {
    const nasty = `<img src=x onerror="alert(1)">&'`
    const { html } = invitationMail({
      ...invitation,
      firstName: nasty,
      teamName: nasty,
      inviterName: nasty,
    })
    expect(html).not.toContain('<img')
    expect(html.match(/&lt;img src=x onerror=&quot;alert\(1\)&quot;&gt;&amp;&#39;/g)).toHaveLength(
      7,
    )
  })

  test('keeps a name from breaking the subject or changing the text direction', () => {
    const { subject, text } = invitationMail({
      ...invitation,
      teamName: 'Owls\r\nBcc: eve@example.com\u2028x\u202ey\u0000',
    })
    expect(subject).toBe('Ana Prost invited you to Owls Bcc: x y')
    expect(text.split('\n').some(line => line.startsWith('Bcc'))).toBe(false)
  })

  test('shortens a subject without splitting a character', () => {
    const { subject } = invitationMail({
      ...invitation,
      teamName: '🏎'.repeat(80),
      inviterName: '🏁'.repeat(80),
    })
    expect(Array.from(subject)).toHaveLength(160)
    expect(Buffer.from(subject).toString()).toBe(subject)
    expect(subject.endsWith('…')).toBe(true)
  })
})
