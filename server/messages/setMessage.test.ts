import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { testApp } from '#testing/app.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { addCar } from '#testing/people/roster.ts'

test('the log names each command that stored a message, and its repetition (M3)', async () => {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => lines.push(JSON.parse(line))
  await using app = await testApp({ logLevel: 'info' }, { write })
  const ana = await app.person('Ana')
  const team = await createTeam(ana, [], 'Night Owls')
  const { id: sessionId } = await ana.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  const [first, second] = [randomUUID(), randomUUID()]
  for (const commandId of [first, second, first])
    await ana.call.messages.set({ sessionId, type: 'Pit', commandId })

  const reqId = expect.any(String)
  const logged = { sessionId, userId: ana.id, reqId }
  const ofMessages = lines.filter(line => 'commandId' in line)
  expect(ofMessages).toMatchObject([
    { ...logged, version: 1, commandId: first, msg: 'message stored' },
    { ...logged, version: 2, commandId: second, msg: 'message stored' },
    { ...logged, version: 2, commandId: first, msg: expect.stringMatching(/^command repeated/) },
  ])
  const answered = () => lines.filter(({ route }) => route === '/api/messages.set')
  await expect
    .poll(() => answered().map(line => line.reqId))
    .toEqual(ofMessages.map(line => line.reqId))
})

test('a message goes to the phone in the car, and says which one that is', async () => {
  await using app = await testApp()
  const [ana, leo] = [await app.person('Ana'), await app.person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const { id: carId } = await addCar(ana, teamId, '17')
  const length = { in: 'laps' as const, laps: 50 }
  const race = { id: randomUUID(), name: 'Fifty laps', length, rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId, race })
  const start = ({ call }: typeof ana) => call.sessions.start({ teamId, name: 'Race', carId })
  const [first, next] = [await start(leo), await start(ana)]
  const takeOver = (phone: string) =>
    ana.call.carRaces.correctRuns({
      sessionId: phone,
      correctionId: randomUUID(),
      decisions: [{ phone, from: Date.now(), until: null }],
    })
  const send = ({ id: sessionId }: typeof first) =>
    ana.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })

  await takeOver(first.id)
  expect(await send(first)).toMatchObject({ sessionId: first.id, version: 1 })
  expect(await send(next)).toMatchObject({ sessionId: first.id, version: 2 })
  await takeOver(next.id)
  expect(await send(first)).toMatchObject({ sessionId: next.id, type: 'Pit' })
})
