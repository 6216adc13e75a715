import { afterAll, afterEach, expect, test } from 'vitest'
import { to } from '#support/testing/assistVisit.ts'
import { supportScene } from '#support/testing/supportScene.ts'

const scene = await supportScene()
afterAll(() => scene[Symbol.asyncDispose]())
afterEach(() => scene.closeConnections())

test.each(['control', 'recording'])(
  'after the tab reports that %s is busy, either agent may request again',
  async what => {
    const { visitId, tab } = await scene.visit(scene.leo)
    const sam = await scene.join(scene.sam, visitId)
    const mia = await scene.join(await scene.agent('Mia'), visitId)
    sam.send(`request_${what}`, to('tab1'))
    await tab.next(`request_${what}`, ([from]) => from === sam.id)
    tab.send(`${what}_busy`, to('tab1', sam.id))
    expect(await sam.next(`${what}_busy`)).toEqual([to('tab1', sam.id)])
    mia.send(`request_${what}`, to('tab1'))
    await tab.next(`request_${what}`, ([from]) => from === mia.id)
  },
)
