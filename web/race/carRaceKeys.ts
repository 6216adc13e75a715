/** Keys of the queries that contain a race, a plan or entries of a car: by session, and by race. */
export const carRaceKeys = [['carRaces.ofSession'], ['carRaces.ofRace']] as const
