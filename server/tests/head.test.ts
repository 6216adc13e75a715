import { expect, test } from 'vitest'
import { testApp } from '#testing/app.ts'

test('HEAD responds as GET does, for every call that reads and every other route', async () => {
  await using app = await testApp({ dev: true, devToken: 'token-of-this-server' })
  const ana = await app.person('Ana')
  const { paths } = await (await fetch(`${app.url}/api/openapi.json`)).json()
  const reads = Object.keys(paths).filter(path => 'get' in paths[path])
  expect(reads.length).toBeGreaterThan(20)
  const headers = { cookie: `${ana.jar.header}; pitboard_dev=token-of-this-server` }
  const others = ['/healthz', '/readyz', '/api/openapi.json', '/dev/mailbox', '/nothing.txt']
  for (const path of [...others, ...reads]) {
    const answers: Response[] = []
    for (const method of ['GET', 'HEAD', 'HEAD']) {
      const answer = await fetch(app.url + path, { method, headers, redirect: 'manual' })
      // One export of the account is made at a time.
      await answer.arrayBuffer()
      answers.push(answer)
    }
    const described = answers.map(each => [path, each.status, each.headers.get('content-type')])
    expect(described).toEqual([described[0], described[0], described[0]])
  }
})
