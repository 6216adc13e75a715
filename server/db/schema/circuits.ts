import type { Generated, JSONColumnType } from 'kysely'
import type { CircuitSource, LineSource } from '#contract/shared/circuits/circuitRules.ts'

export type StoredPlace = [latitude: number, longitude: number]

export interface CircuitTables {
  circuits: {
    team_id: string
    id: string
    name: string | null
    source: CircuitSource
    learned_in: string | null
    newest_version: Generated<number>
    created_at: Generated<Date>
    deleted_at: Date | null
  }

  circuit_versions: {
    team_id: string
    circuit_id: string
    version: number
    change: 'created' | 'refined' | 'line' | 'pit-lane' | 'undone' | 'reversed'
    outline: JSONColumnType<StoredPlace[]>
    line: JSONColumnType<StoredPlace>
    line_source: LineSource
    line_error_m: number | null
    pit_in: JSONColumnType<StoredPlace> | null
    pit_out: JSONColumnType<StoredPlace> | null
    length_m: number
    direction: 'clockwise' | 'anticlockwise'
    laps: number | null
    error_m: number | null
    created_at: Generated<Date>
  }
}
