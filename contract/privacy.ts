import { z } from 'zod'
import { read } from './endpoint.ts'

export const privacy = {
  settings: read({
    auth: 'anyone',
    summary: 'The settings of this server that the privacy page names.',
    input: z.object({}),
    output: z.object({
      /** Days for which positions are stored. */
      historyDays: z.int(),
      /** How support works here: the built-in desk asks before it sees a page, OpenReplay records every page. */
      support: z.enum(['none', 'built-in', 'openreplay']),
    }),
  }),
}
