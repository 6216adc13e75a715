import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { startSmtpServer } from '#testing/people/smtp.ts'
import { createMailer } from './mailer.ts'

const from = 'Pitboard <pitboard@example.com>'
const quiet = () => {}

test('a mail reaches the mail server as text and HTML, in any script', async () => {
  await using sink = await startSmtpServer()
  const mailer = createMailer({ smtpUrl: sink.url, from, print: quiet })
  expect(mailer.outbox).toBeUndefined()
  const long = 'Zürich → 東京 = 100 %. '.repeat(20)
  await mailer.send({
    to: 'ana@example.com',
    subject: 'Grüße aus der Box – 東京, mit einem Betreff, der auf keine Zeile mehr passt',
    text: `${long}\nEnd`,
    html: `<p>${long}</p>`,
  })
  const mail = await sink.next('ana@example.com')
  expect(mail.subject).toBe(
    'Grüße aus der Box – 東京, mit einem Betreff, der auf keine Zeile mehr passt',
  )
  expect(mail.text.trim()).toBe(`${long}\nEnd`)
  expect(mail.html.trim()).toBe(`<p>${long}</p>`)
  expect(mail.headers.get('from')).toBe(from)
  mailer.close()
})

test('a subject or an address cannot inject a header or another recipient', async () => {
  await using sink = await startSmtpServer()
  const mailer = createMailer({ smtpUrl: sink.url, from, print: quiet })
  await mailer.send({
    to: 'ana@example.com',
    subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nBody',
    text: 'text',
    html: '<p>html</p>',
  })
  const mail = await sink.next('ana@example.com')
  expect(mail.to).toEqual(['ana@example.com'])
  expect(mail.headers.has('bcc')).toBe(false)
  expect(mail.text.trim()).toBe('text')
  mailer.close()
})

test('a mail that the server rejects fails, and the next one is sent', async () => {
  await using sink = await startSmtpServer()
  const mailer = createMailer({ smtpUrl: sink.url, from, print: quiet })
  const mail = { to: 'ana@example.com', subject: 's', text: 't', html: 'h' }
  sink.refuse(true)
  await expect(mailer.send(mail)).rejects.toThrow('550 Refused by the test')
  sink.refuse(false)
  await mailer.send(mail)
  expect(sink.mails).toHaveLength(1)
  mailer.close()
})

test('sending without a reachable mail server fails', async () => {
  const gone = await freePort()
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${gone}`, from, print: quiet })
  await expect(
    mailer.send({ to: 'ana@example.com', subject: 's', text: 't', html: 'h' }),
  ).rejects.toThrow('ECONNREFUSED')
  mailer.close()
})

test('without a mail server the last 200 mails are kept and printed', async () => {
  const printed: string[] = []
  const { send, outbox } = createMailer({
    smtpUrl: undefined,
    from,
    print: text => printed.push(text),
  })
  for (let number = 0; number <= 200; number += 1) {
    const to = number % 2 === 0 ? 'ana@example.com' : 'leo@example.com'
    await send({ to, subject: `Mail ${number}`, text: `Text ${number}\n`, html: '<p></p>' })
  }
  expect(outbox?.list()).toHaveLength(200)
  expect(outbox?.list()[0]).toMatchObject({ subject: 'Mail 200', at: expect.any(Number) })
  expect(outbox?.list({ to: ' ANA@example.com' })).toHaveLength(100)
  expect(printed[7]).toBe('  | Mail to leo@example.com\n  | Mail 7\n  | \n  | Text 7')
})

test('control characters of a mail are not printed to the terminal', async () => {
  const printed: string[] = []
  const mailer = createMailer({ smtpUrl: undefined, from, print: text => printed.push(text) })
  await mailer.send({ to: 'a@b.de', subject: '\u001b[2Jx', text: 'a\u001b]0;b\u0007', html: '' })
  expect(printed.join()).not.toMatch(/[^\P{Cc}\n]/u)
  expect(printed.join()).toContain('[2Jx')
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
