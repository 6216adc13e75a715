// Pages of a team that are opened rarely, in one file: the first load lists every file of the app, and each entry
// adds to its size.
export { CircuitsScreen } from '#web/features/circuits/CircuitsScreen.tsx'
export { LogScreen } from '#web/features/log/LogScreen.tsx'
export { HistoryScreen } from '#web/features/members/HistoryScreen.tsx'
export { InviteScreen } from '#web/features/members/InviteScreen.tsx'
export { MembersScreen } from '#web/features/members/MembersScreen.tsx'
export { AllSessionsScreen } from '#web/features/teams/allSessions/AllSessionsScreen.tsx'
