import type { SessionId } from '#contract/ids.ts'
import type { Message } from '#contract/messages.ts'
import type { Person } from '#testing/people/person.ts'

/** The last receipt that a phone sends for a message: none, reached, shown or copied. */
export type PhoneBehaviour = 'ignores' | 'reaches' | 'shows' | 'copies'

/** Position and speed of the car, null if unknown. */
export interface Place {
  latitude: number | null
  longitude: number | null
  speedKmh: number | null
}

/** How long this phone takes to paint a message. */
const paintMs = 200

/**
 * A driver's phone without a page: it sends a fix each second, so that the driver is online, and receipts
 * as its behaviour defines.
 */
export async function startPhone(
  driver: Person,
  session: SessionId,
  behaviour: PhoneBehaviour,
  { latitude, longitude, speedKmh }: Place,
): Promise<Disposable> {
  const connection = await driver.connect()
  // A message sent before the server has accepted the phone would be in the snapshot, not an event.
  await connection.drive(session)
  const report = () =>
    connection.send({ t: 'fix', at: Date.now(), la: latitude, lo: longitude, v: speedKmh, ac: 4 })
  report()
  const ticking = setInterval(report, 1000)

  function sendReceipts({ version, pressedAt }: Message) {
    const at = (pressedAt ?? Date.now()) + paintMs
    if (behaviour === 'ignores') return
    connection.send({ t: 'receipt', version, stage: 'reached', at })
    if (behaviour === 'reaches') return
    connection.send({ t: 'receipt', version, stage: 'shown', at })
    if (behaviour === 'copies')
      connection.send({ t: 'receipt', version, stage: 'copied', at: at + 1000 })
  }
  connection.socket.on('message', () => {
    for (const { message } of connection.received('message')) sendReceipts(message)
  })
  return {
    [Symbol.dispose]() {
      clearInterval(ticking)
      connection.close()
    },
  }
}
