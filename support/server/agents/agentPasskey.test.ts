import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import { addPasskey } from '#testing/people/addPasskey.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'
import { createPerson } from '#testing/people/person.ts'

const needed = { code: 'passkey-needed', status: 403 }
const admins = new Set<string>()
let app: TestApp

beforeAll(async () => {
  const support = { external: undefined, iceServers: [], admins }
  app = await testApp({ support })
})
afterAll(() => app[Symbol.asyncDispose]())

async function agent() {
  const person = await app.person('Sam', 'Support')
  admins.add(person.email)
  return person
}

test('an agent signed in with a code gets no access to the desk', async () => {
  const sam = await agent()
  expect(await sam.call.support.settings()).toMatchObject({ isAgent: true, passkeyNeeded: true })
  for (const call of [sam.call.support.visitors, sam.call.support.audit])
    await expect(call()).rejects.toMatchObject(needed)
  const visitId = 'a'.repeat(64)
  await expect(sam.call.support.join({ visitId })).rejects.toMatchObject(needed)
})

test('a passkey opens the desk, in this browser and wherever it signs in', async () => {
  const sam = await agent()
  const { key } = await addPasskey(sam, app.url)
  expect(await sam.call.support.settings()).not.toHaveProperty('passkeyNeeded')
  expect(await sam.call.support.visitors()).toEqual([])
  const call = createClient(app.url, new CookieJar())
  const options = await call.passkeys.startSignIn({})
  await call.passkeys.signIn({ credential: key.get(options, { origin: app.url }) })
  expect(await call.support.visitors()).toEqual([])
})

test("a code alone cannot replace an agent's passkey", async () => {
  const sam = await agent()
  const { passkey } = await addPasskey(sam, app.url)
  // Somebody who reads their mail.
  using intruder = await createPerson(app.url, app.mails, sam.details)
  await expect(intruder.call.passkeys.startAdding({})).rejects.toMatchObject(needed)
  await expect(intruder.call.passkeys.remove({ passkeyId: passkey.id })).rejects.toMatchObject(
    needed,
  )
  await expect(intruder.call.support.visitors()).rejects.toMatchObject(needed)
})

test('other people need no passkey to change theirs', async () => {
  const leo = await app.person('Leo')
  const { passkey } = await addPasskey(leo, app.url)
  using again = await createPerson(app.url, app.mails, leo.details)
  expect(await again.call.support.settings()).toMatchObject({ isAgent: false })
  await again.call.passkeys.remove({ passkeyId: passkey.id })
  expect(await leo.call.passkeys.list()).toEqual([])
})
