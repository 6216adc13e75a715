import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { unusedEmail } from '#testing/people/logins.ts'
import { codeIn } from '#testing/people/person.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** Returns a wrong code. */
const not = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

const enter = (email: string, code: string) =>
  server.browserOf(email.trim()).call.auth.verifyCode({ email, code })

describe('a code', () => {
  test('signs in the person who enters it', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email)
    expect((await enter(email, code)).user).toMatchObject({ email, isAnonymous: false })
  })

  test.each(['%s-%s', ' %s %s ', '%s\u2013%s', '%s\u00a0%s'])(
    'is accepted with spaces and dashes: %j',
    async pattern => {
      const email = unusedEmail()
      const code = await server.codeFor(email)
      const [a, b] = [code.slice(0, 3), code.slice(3)]
      const typed = pattern.replace('%s', a).replace('%s', b)
      expect((await enter(email, typed)).user.email).toBe(email)
    },
  )

  test('ignores the case of the address', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email.toUpperCase())
    expect((await enter(` ${email.toUpperCase()} `, code)).user.email).toBe(email)
  })

  // spec: ER-7
  test('is refused for another address', async () => {
    const [email, other] = [unusedEmail(), unusedEmail()]
    const code = await server.codeFor(email)
    await server.codeFor(other)
    await expect(enter(other, code)).rejects.toMatchObject({ code: 'code-wrong', status: 400 })
  })

  test('is stored only as a keyed hash', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email)
    const row = await server.db
      .selectFrom('login_codes')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(row.code_hmac).toHaveLength(32)
    expect(JSON.stringify({ ...row, code_hmac: row.code_hmac.toString('latin1') })).not.toContain(
      code,
    )
  })

  test('is valid only in the browser that requested it', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email)
    const other = server.browser()
    const refused = { code: 'code-dead', status: 400 }
    await expect(other.call.auth.verifyCode({ email, code })).rejects.toMatchObject(refused)
    await server.codeFor(unusedEmail(), undefined, other)
    await expect(other.call.auth.verifyCode({ email, code })).rejects.toMatchObject(refused)
    expect((await enter(email, code)).user.email).toBe(email)
  })

  test('stays valid if another browser requests one and guesses', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email)
    const stranger = server.browser()
    const theirs = await server.codeFor(email, undefined, stranger)
    for (let by = 1; by <= 5; by += 1) {
      const guess = { email, code: not(theirs, by) }
      await expect(stranger.call.auth.verifyCode(guess)).rejects.toMatchObject({
        code: 'code-wrong',
      })
    }
    expect((await enter(email, code)).user.email).toBe(email)
  })

  test('that was never requested is refused', async () => {
    await expect(enter(unusedEmail(), '123456')).rejects.toMatchObject({ code: 'code-dead' })
  })

  test('works once', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email)
    await enter(email, code)
    await expect(enter(email, code)).rejects.toMatchObject({ code: 'code-dead' })
  })

  test('entered by many requests at once is accepted once', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email)
    const answers = await Promise.allSettled(Array.from({ length: 4 }, () => enter(email, code)))
    const refused = answers.filter(answer => answer.status === 'rejected')
    expect(refused).toHaveLength(3)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'code-dead' })
    const { count } = await server.db
      .selectFrom('logins')
      .innerJoin('users', 'users.id', 'logins.user_id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('users.email', '=', email)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(1)
  })

  test('expires after ten minutes', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email)
    await age(email, '9 minutes 58 seconds')
    await expect(enter(email, not(code))).rejects.toMatchObject({ code: 'code-wrong' })
    await age(email, '3 seconds')
    await expect(enter(email, code)).rejects.toMatchObject({ code: 'code-dead' })
  })

  test('is invalid once a newer one was requested', async () => {
    const email = unusedEmail()
    const older = await server.codeFor(email)
    const newer = await server.codeFor(email)
    await expect(enter(email, older)).rejects.toMatchObject({ code: 'code-wrong' })
    expect((await enter(email, newer)).user.email).toBe(email)
  })
})

describe('guessing a code', () => {
  test('is refused after five wrong tries, even with the right code', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email)
    for (let by = 1; by <= 5; by += 1) {
      await expect(enter(email, not(code, by))).rejects.toMatchObject({ code: 'code-wrong' })
    }
    await expect(enter(email, code)).rejects.toMatchObject({ code: 'code-dead' })
  })

  test('with twenty concurrent requests compares only five', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        enter(email, not(code, index + 1)).then(
          () => 'in',
          (error: { code: string }) => error.code,
        ),
      ),
    )
    expect(answers.filter(answer => answer === 'code-wrong')).toHaveLength(5)
    expect(answers.filter(answer => answer === 'code-dead')).toHaveLength(15)
    await expect(enter(email, code)).rejects.toMatchObject({ code: 'code-dead' })
  })

  test('has five tries again with a new code', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email)
    for (let by = 1; by <= 5; by += 1) await enter(email, not(code, by)).catch(() => {})
    expect((await enter(email, await server.codeFor(email))).user.email).toBe(email)
  })
})

describe('requesting a code', () => {
  test('gets the same response for known and unknown addresses', async () => {
    const [known, unknown] = [unusedEmail(), unusedEmail()]
    await enter(known, await server.codeFor(known))
    const { call } = server.browser()
    const answers = [
      await call.auth.sendCode({ email: known }),
      await call.auth.sendCode({ email: unknown }),
    ]
    expect(answers.map(({ email, expiresAt, ...rest }) => [email, typeof expiresAt, rest])).toEqual(
      [
        [known, 'number', {}],
        [unknown, 'number', {}],
      ],
    )
  })

  test('returns the expiry of the code', async () => {
    const { expiresAt } = await server.browser().call.auth.sendCode({ email: unusedEmail() })
    const minutes = (expiresAt - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(9.5)
    expect(minutes).toBeLessThan(10.5)
  })

  test('mails the code in text and subject, without the typed names', async () => {
    const email = unusedEmail()
    await server
      .browser()
      .call.auth.sendCode({ email, firstName: 'Cheap watches', lastName: 'at evil.example' })
    const mail = await server.mails.next(email)
    expect(mail.subject).toBe(`${codeIn(mail.text)} is your Pitboard code`)
    expect(mail.html).toContain(codeIn(mail.text))
    expect(mail.html + mail.text).not.toMatch(/watches|evil/)
  })

  test('is refused without a valid address', async () => {
    const { call } = server.browser()
    for (const email of [
      '',
      'unusedEmail',
      'a@b',
      'a@example.com\r\nbcc: b@example.com',
      'a@b.de,c@d.de',
    ]) {
      await expect(call.auth.sendCode({ email })).rejects.toMatchObject({
        code: 'invalid-input',
        fields: { email: 'email-incomplete' },
      })
    }
  })
})

describe('a mail that fails', () => {
  test('is reported, not counted, and leaves no code', async () => {
    const email = unusedEmail()
    const { call } = server.browser()
    server.mails.refuse(true)
    for (let times = 0; times < 8; times += 1) {
      await expect(call.auth.sendCode({ email })).rejects.toMatchObject({ code: 'mail-not-sent' })
    }
    server.mails.refuse(false)
    await expect(enter(email, '000000')).rejects.toMatchObject({ code: 'code-dead' })
    expect((await enter(email, await server.codeFor(email))).user.email).toBe(email)
  })
})

async function age(email: string, interval: string) {
  await server.db
    .updateTable('login_codes')
    .set({ expires_at: sql<Date>`expires_at - ${interval}::interval` })
    .where('email', '=', email)
    .execute()
}
