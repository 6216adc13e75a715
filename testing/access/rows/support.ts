import { type Rows, signedInGet } from '../answers.ts'

const forNoAgent = signedInGet('not-found')

/** Calls of the support add-on. */
export const supportRows: Rows = {
  // Support is not configured and nobody here is an agent: support/server/agents/auth.test.ts covers the rest.
  'support.settings': forNoAgent,
  'support.callServers': forNoAgent,
  'support.visitors': forNoAgent,
  'support.join': { input: { visitId: 'a'.repeat(64) }, answers: forNoAgent },
  'support.audit': forNoAgent,
  'support.createTest': {
    input: {
      title: 'Find the map',
      guidelines: '',
      tasks: [{ title: 'Open it', description: '', allowTyping: false }],
    },
    answers: forNoAgent,
  },
  'support.listTests': forNoAgent,
  'support.getTest': { input: { testId: 1 }, answers: forNoAgent },
}
