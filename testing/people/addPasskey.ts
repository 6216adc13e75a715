import type { Person } from './person.ts'
import { SoftwareAuthenticator } from './softwareAuthenticator.ts'

/** Adds a passkey to this person, whose login counts as made with it from then on. */
export async function addPasskey({ call }: Pick<Person, 'call'>, origin: string) {
  const key = new SoftwareAuthenticator()
  const credential = key.create(await call.passkeys.startAdding({}), { origin })
  const passkey = await call.passkeys.add({ name: 'Phone', credential })
  return { key, credential, passkey }
}
