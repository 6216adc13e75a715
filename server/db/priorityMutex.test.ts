import { expect, test } from 'vitest'
import { PriorityMutex } from './priorityMutex.ts'

test('callers of one lane acquire in order of arrival', async () => {
  const mutex = new PriorityMutex()
  const order: string[] = []
  const first = await mutex.acquire()
  const second = mutex.acquire().then(release => order.push('second') && release())
  const third = mutex.acquire().then(release => order.push('third') && release())
  order.push('first')
  first()
  await Promise.all([second, third])
  expect(order).toEqual(['first', 'second', 'third'])
})

test('the command lane overtakes everything queued', async () => {
  const mutex = new PriorityMutex()
  const order: string[] = []
  const first = await mutex.acquire()
  const ordinary = ['a', 'b'].map(async name => {
    const release = await mutex.acquire()
    order.push(name)
    release()
  })
  const commands = ['c', 'd'].map(async name => {
    const release = await mutex.acquire('command')
    order.push(name)
    release()
  })
  first()
  await Promise.all([...ordinary, ...commands])
  expect(order).toEqual(['c', 'd', 'a', 'b'])
})

test('a caller that waits too long is rejected, the others still acquire', async () => {
  const mutex = new PriorityMutex(20)
  const release = await mutex.acquire()
  await expect(mutex.acquire()).rejects.toThrow("use the transaction's own handle")
  release()
  const next = await mutex.acquire()
  next()
})

test('after acquireLast every caller is rejected', async () => {
  const mutex = new PriorityMutex()
  const release = await mutex.acquire()
  const last = mutex.acquireLast()
  await expect(mutex.acquire('command')).rejects.toThrow('closed')
  release()
  await expect(last).resolves.toBeTypeOf('function')
})
