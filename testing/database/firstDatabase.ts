// Setup file of the server tests. Starts the first database of each test process, which may take longer on a busy
// machine than a test may: the tests that follow use it again.
import { testDatabase } from './database.ts'

const started = Symbol.for('pitboard.firstDatabase')
if (!(started in globalThis)) {
  Object.assign(globalThis, { [started]: true })
  const database = await testDatabase()
  await database[Symbol.asyncDispose]()
}
