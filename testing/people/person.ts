import { TestConnection } from '../live/testConnection.ts'
import { CookieJar, createClient } from './client.ts'
import type { SmtpServer } from './smtp.ts'

export interface Details {
  firstName: string
  lastName: string
  email: string
}

/** A user with the cookies of a signed-in browser. */
export type Person = Awaited<ReturnType<typeof createPerson>>

/** Signs up by the API: requests a code, reads it from the mail, submits it and stores the cookie. */
export async function createPerson(url: string, mails: SmtpServer, details: Details) {
  const jar = new CookieJar()
  const call = createClient(url, jar)
  const connections: TestConnection[] = []
  await call.auth.sendCode(details)
  const { user } = await call.auth.verifyCode({
    email: details.email,
    code: await mails.nextCode(details.email),
  })
  return {
    id: user.id,
    email: details.email,
    details,
    jar,
    call,
    /** Opens a live connection and waits for its welcome. */
    async connect() {
      const connection = new TestConnection(url, { cookie: jar.header, origin: url })
      connections.push(connection)
      return connection.greet()
    },
    [Symbol.dispose]: () => {
      for (const connection of connections) connection.close()
    },
  }
}

/** Returns the six-digit code of a mail. */
export function codeIn(text: string): string {
  const code = /\b\d{6}\b/.exec(text)?.[0]
  if (!code) throw new Error(`The mail contains no code: ${text}`)
  return code
}
