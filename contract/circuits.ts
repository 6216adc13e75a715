import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, SessionId, TeamId } from './ids.ts'
import { maxLatitude, maxLongitude } from './shared/bounds.ts'
import {
  circuitGates,
  circuitSources,
  lineSources,
  maxCircuitFileLetters,
} from './shared/circuits/circuitRules.ts'
import { LineOfText, refusalDetail } from './text.ts'

/** A shipped circuit keeps its name as the id in every team; others have a UUID. */
export const CircuitId = z.string().regex(/^[a-z0-9-]{1,40}$/)
export type CircuitId = z.infer<typeof CircuitId>

const Place = z.object({
  latitude: z.number().min(-maxLatitude).max(maxLatitude),
  longitude: z.number().min(-maxLongitude).max(maxLongitude),
})

const Direction = z.enum(['clockwise', 'anticlockwise'])

/** The version of a circuit by which a session is timed, and all that is needed to draw it. */
export const SessionCircuit = z.object({
  id: CircuitId,
  /** Null until somebody names a learned circuit. */
  name: z.string().nullable(),
  /** Grows with each change of the outline, the line or the pit lane. */
  version: z.int(),
  /** In driving direction; it is closed from the last place to the first. */
  outline: z.array(Place),
  /** Start/finish: a place near the middle of the road. */
  line: Place,
  /** Null until both of its ends are set. */
  pitLane: z.object({ in: Place, out: Place }).nullable(),
  lengthM: z.int(),
  direction: Direction,
  /** The credit to show wherever the outline is drawn. */
  attribution: z.string().nullable(),
})
export type SessionCircuit = z.infer<typeof SessionCircuit>

/** The newest version of a team's circuit, with everything that is known about it. */
export const TeamCircuit = SessionCircuit.extend({
  source: z.enum(circuitSources),
  /** Whole laps from which the outline was learned; null if it was not. */
  laps: z.int().nullable(),
  /** Distance from the outline within which 95 % of the positions of these laps are; null before three laps. */
  errorM: z.number().nullable(),
  lineSource: z.enum(lineSources),
  /** Error of the line with a probability of 95 %; null if nobody knows it. */
  lineErrorM: z.number().nullable(),
  /** Ends of the pit lane that are set, one by one. */
  pitIn: Place.nullable(),
  pitOut: Place.nullable(),
  /** Half the interval that contains the true time in 95 % of laps, of a usual lap; null without laps. */
  plusMinusMs: z.int().nullable(),
  /** True if its last change can be undone: the line or the pit lane. */
  canUndo: z.boolean(),
})
export type TeamCircuit = z.infer<typeof TeamCircuit>

export const ListedCircuit = TeamCircuit.pick({
  id: true,
  name: true,
  source: true,
  lengthM: true,
  direction: true,
  laps: true,
}).extend({
  /** From the last known position of the team's newest car; null without one. */
  distanceM: z.int().nullable(),
  /** The outline, thinned: x to the right and y down in a square of 100. */
  shape: z.array(z.object({ x: z.int(), y: z.int() })),
  /** The label of a learned circuit until it has a name: when it was learned, and the nearest circuit with a name. */
  learned: z.object({ at: EpochMs, near: z.string().nullable() }).optional(),
})
export type ListedCircuit = z.infer<typeof ListedCircuit>

/** A GeoJSON or GPX file. No NUL: it is read and not stored. */
const CircuitFileText = z
  .string()
  .max(maxCircuitFileLetters, refusalDetail('too-long'))
  .regex(/^[^\0]*$/, refusalDetail('circuit-unreadable'))

const ofTeam = z.object({ teamId: TeamId })
const ofCircuit = ofTeam.extend({ circuitId: CircuitId })
const ofSession = z.object({ sessionId: SessionId })

export const circuits = {
  list: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: "The team's circuits: shipped, learned and imported ones, the nearest first.",
    input: ofTeam,
    output: z.array(ListedCircuit),
  }),
  get: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: "One of the team's circuits, in its newest version.",
    input: ofCircuit,
    output: TeamCircuit,
  }),
  usualLap: read({
    auth: 'any-login',
    scopes: ['read'],
    summary:
      'The median of the newest 200 whole laps of a team on a circuit, without yellow ones. Null without one.',
    input: ofCircuit,
    output: z
      .object({
        timeMs: z.int(),
        /** Number of these laps, and the start of the newest one. */
        laps: z.int(),
        at: EpochMs,
      })
      .nullable(),
  }),
  ofSession: read({
    auth: 'any-login',
    scopes: ['read', 'drive', 'wall'],
    summary:
      'The circuit of a session, in the version by which it is timed. Null while it is not known.',
    input: ofSession,
    output: SessionCircuit.nullable(),
  }),
  driven: read({
    auth: 'any-login',
    scopes: ['read'],
    summary:
      'The path that the car of an active session has driven while its circuit is learned; empty once it is known.',
    input: ofSession,
    output: z.object({ path: z.array(Place), wayM: z.int() }),
  }),
  setGate: command({
    auth: 'signed-in',
    summary:
      'Moves the line, or an end of the pit lane, of the circuit of an active session to where its car was at a time, and computes the laps again. For its driver, and members who may change the team. They also move the line at a time of an ended session, whose laps and those of its race are computed again.',
    input: ofSession.extend({
      gate: z.enum(circuitGates),
      /** When somebody tapped, by the server's clock. Without it, now. */
      at: EpochMs.optional(),
    }),
    output: z.object({
      circuit: TeamCircuit,
      /** How far it moved along the outline; null if it was not set before. */
      movedM: z.int().nullable(),
    }),
  }),
  placeLine: command({
    auth: 'signed-in',
    summary:
      'Moves the line of a circuit to a place on its outline, such as one that was tapped on its drawing, and computes the laps of active sessions on it again.',
    input: ofCircuit.extend({ place: Place }),
    output: TeamCircuit,
  }),
  removePitLane: command({
    auth: 'signed-in',
    summary:
      'Removes the pit lane of a circuit, and computes the laps of active sessions on it again.',
    input: ofCircuit,
    output: TeamCircuit,
  }),
  undo: command({
    auth: 'signed-in',
    summary:
      'Undoes a change of the line or the pit lane, named by the version that it made, and computes the laps again. Refused if it was changed again since.',
    input: ofCircuit.extend({
      version: z
        .int()
        .min(1)
        .max(2 ** 31 - 1),
      /** An ended session whose line was moved: its laps and those of its race are computed again. */
      sessionId: SessionId.optional(),
    }),
    output: TeamCircuit,
  }),
  reverse: command({
    auth: 'signed-in',
    summary: 'Reverses the driving direction of an imported circuit.',
    input: ofCircuit,
    output: TeamCircuit,
  }),
  rename: command({
    auth: 'signed-in',
    summary: 'Renames a circuit of the team.',
    input: ofCircuit.extend({ name: LineOfText }),
    output: TeamCircuit,
  }),
  delete: command({
    auth: 'signed-in',
    summary:
      'Deletes a learned or imported circuit. Ended sessions keep the version by which they were timed. Refused while a session is active on it.',
    input: ofCircuit,
    output: z.object({}),
  }),
  import: command({
    auth: 'signed-in',
    limit: 'costly',
    maxBodyBytes: 2 * 1024 * 1024,
    summary:
      'Adds a circuit from a GeoJSON or GPX file: the first closed line is the outline; points named Line, Pit in and Pit out are its gates.',
    input: ofTeam.extend({
      name: LineOfText,
      file: CircuitFileText,
    }),
    output: TeamCircuit,
  }),
}
