import type { SessionId } from '#contract/ids.ts'
import type { Message } from '#contract/messages.ts'
import type { Person } from '#testing/person.ts'

/** How far a phone lets messages come: it is there and shows nothing, shows them, or they are acknowledged. */
export type PhoneBehaviour = 'ignores' | 'reaches' | 'shows' | 'copies'

/** Where the car is, and how fast; none where it is not known. */
export interface Place {
  latitude: number | null
  longitude: number | null
  speedKmh: number | null
}

/** How long this phone takes to paint a message. */
const paintMs = 200

/**
 * A driver's phone without a page: it reports a place each second, so that the driver is online, and
 * answers messages in its manner.
 */
export async function startPhone(
  driver: Person,
  session: SessionId,
  behaviour: PhoneBehaviour,
  { latitude, longitude, speedKmh }: Place,
): Promise<Disposable> {
  const connection = await driver.connect()
  connection.send({ t: 'drive', session })
  const report = () =>
    connection.send({ t: 'fix', at: Date.now(), la: latitude, lo: longitude, v: speedKmh, ac: 4 })
  report()
  const ticking = setInterval(report, 1000)

  function answer({ version, pressedAt }: Message) {
    const at = (pressedAt ?? Date.now()) + paintMs
    if (behaviour === 'ignores') return
    connection.send({ t: 'receipt', version, stage: 'reached', at })
    if (behaviour === 'reaches') return
    connection.send({ t: 'receipt', version, stage: 'shown', at })
    if (behaviour === 'copies')
      connection.send({ t: 'receipt', version, stage: 'copied', at: at + 1000 })
  }
  connection.socket.on('message', () => {
    for (const { message } of connection.received('message')) answer(message)
  })
  return {
    [Symbol.dispose]() {
      clearInterval(ticking)
      connection.close()
    },
  }
}
