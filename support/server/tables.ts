import type { Generated, JSONColumnType } from 'kysely'
import type { SupportEvent, UsabilityTest } from '../contract/support.ts'

export interface SupportTables {
  support_audit: {
    id: Generated<number>
    at: Generated<Date>
    event: SupportEvent
    visit_id: string | null
    visitor_id: string | null
    agent_id: string | null
  }

  support_tests: {
    id: Generated<number>
    title: string
    guidelines: string
    tasks: JSONColumnType<UsabilityTest['tasks']>
    created_by: string | null
    created_at: Generated<Date>
  }

  support_signals: {
    test_id: number
    user_id: string
    task: number
    status: 'begin' | 'done' | 'skipped'
    duration_ms: number
    answer: string | null
    at: Generated<Date>
  }
}
