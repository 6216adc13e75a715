import type { CarPhone } from '#contract/carRaces.ts'
import { carPhonesText } from '#web/text/carPhones.ts'

type NamedPhone = Pick<CarPhone, 'sessionId' | 'person' | 'name'>

/** Names a phone of a car by its person: "Ana's phone". Without a name it is "Phone (Race 2)", with its session. */
export function phoneLabel(phones: readonly NamedPhone[], sessionId: string): string {
  const phone = phones.find(each => each.sessionId === sessionId)
  if (!phone?.person) return phone ? carPhonesText.phoneIn(phone.name) : ''
  return carPhonesText.phoneOf(phoneHolder(phones, sessionId))
}

/**
 * Returns the first name of the person of a phone, or the whole name if another phone of the car has the same first name.
 * Without a name it is the name of its session.
 */
export function phoneHolder(phones: readonly NamedPhone[], sessionId: string): string {
  const phone = phones.find(each => each.sessionId === sessionId)
  if (!phone?.person) return phone?.name ?? ''
  const isAlone = phones.every(each => each === phone || firstName(each) !== firstName(phone))
  return isAlone ? firstName(phone) : phone.person
}

function firstName({ person }: NamedPhone): string {
  return person.split(' ')[0] ?? ''
}
