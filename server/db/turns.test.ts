import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('one at a time is let through, in the order of asking', async () => {
  const turns = new Turns()
  const order: string[] = []
  const first = await turns.take()
  const second = turns.take().then(end => order.push('second') && end())
  const third = turns.take().then(end => order.push('third') && end())
  order.push('first')
  first()
  await Promise.all([second, third])
  expect(order).toEqual(['first', 'second', 'third'])
})

test('who waits too long is refused, and the others still get their turn', async () => {
  const turns = new Turns(20)
  const end = await turns.take()
  await expect(turns.take()).rejects.toThrow("use the transaction's own handle")
  end()
  const next = await turns.take()
  next()
})

test('after the last turn nobody may ask', async () => {
  const turns = new Turns()
  const end = await turns.take()
  const last = turns.takeLast()
  await expect(turns.take()).rejects.toThrow('closed')
  end()
  await expect(last).resolves.toBeTypeOf('function')
})
