import { isUnitWord, type Quantity } from './units.ts'

// The columns of all formats: names as CSV files, VBO files and the elements of XML files have them.

/** Only this many letters of a column's name are read. */
const longestName = 100

interface Names {
  readonly quantity: Quantity
  /** In order of preference: in lower case, without accents, units, signs and spaces. */
  readonly names: readonly string[]
}

/** The roles of columns, with all names of each. */
export const columnNames = {
  time: {
    quantity: 'time',
    names: words(
      'times ts utcs timestamp time t utctime timeutc datetime dateandtime timedate utcdatetime datetimeutc utctimestamp timestamputc utc localtime timelocal',
      'timeofday clock clocktime epoch epochtime unixtime unixtimestamp unix posixtime isotime iso8601 systemtime devicetime utcms when stamp timestampsince1970 loggingtime createdat recordedat loggedat',
      'zeit uhrzeit zeitstempel datumzeit datumuhrzeit tijd tijdstip datumtijd heure temps horodatage dateheure hora tiempo fechahora marcadetiempo orario ora dataora tempo tid tidspunkt tidpunkt klockslag czas cas aika ido',
      'timesinceepoch secondselapsed elapsedtime elapsed elapsedseconds timeelapsed sessiontime racetime runtime logtime recordtime relativetime timefromstart timesincestart seconds secs sec',
      'itow tow timeofweek millis milliseconds elapsedmillis uptime interval timems',
    ),
  },
  /** A time with its date, beside another time without one. */
  utc: {
    quantity: 'time',
    names: words(
      'utcs utctime timeutc utc utctimestamp timestamputc utcdatetime datetimeutc timestamp datetime unixtime unixtimestamp epoch epochtime systemtime',
    ),
  },
  date: {
    quantity: 'none',
    names: words(
      'date utcdate dateutc localdate datelocal datum fecha data dato datofecha dag jour',
    ),
  },
  /** Milliseconds beside a time in whole seconds. */
  millis: { quantity: 'none', names: words('ms msec millisecond milliseconds millis') },
  latitude: {
    quantity: 'angle',
    names: words(
      'latitude lat latitudedegrees latdegrees latdd decimallatitude latitudedecimal positionlat poslat latposition latgps latitudegps wgs84lat coordlat locationlat locationlatitude',
      'breitengrad breite geographischebreite geobreite breedtegraad breedte latitud latitudine szerokosc szerokoscgeograficzna latitudinea leveysaste breddgrad breddegrad',
    ),
  },
  longitude: {
    quantity: 'angle',
    names: words(
      'longitude lon long lng longitudedegrees londegrees longdegrees lngdegrees londd decimallongitude longitudedecimal positionlong positionlon poslon poslong poslng lonposition longposition longps longitudegps lnggps wgs84lon coordlon locationlon locationlng locationlong locationlongitude',
      'langengrad laengengrad lange laenge geographischelange geographischelaenge geolange lengtegraad lengte longitud longitudine dlugosc dlugoscgeograficzna longitudinea pituusaste langdgrad lengdegrad',
    ),
  },
  /** N or S. */
  north: {
    quantity: 'none',
    names: words(
      'ns northsouth latns nslat latdir latitudedir latitudedirection latdirection latref latituderef nsindicator nshemisphere lathemisphere latitudehemisphere hemispherelat latitudens',
    ),
  },
  /** E or W. */
  east: {
    quantity: 'none',
    names: words(
      'ew eastwest lonew ewlon longew lngew londir longdir lngdir longitudedir longitudedirection londirection lonref longref longituderef ewindicator ewhemisphere lonhemisphere longitudehemisphere hemispherelon longitudeew',
    ),
  },
  speed: {
    quantity: 'speed',
    names: words(
      'speed speedgps gpsspeed groundspeed speedoverground speedground sog gspeed gndspeed hspeed horizontalspeed speedhorizontal speed2d 2dspeed speedms speedmps speedkmh speedkph speedmph velocity vel velocitykmh groundvelocity velocity2d horizontalvelocity kph kmh kmph mph knots spd',
      'geschwindigkeit geschw snelheid vitesse velocidad velocita predkosc hastighet hastighed nopeus rychlost enhancedspeed vehiclespeed carspeed',
    ),
  },
  heading: {
    quantity: 'none',
    names: words(
      'heading headinggps bearing course courseoverground coursetrue truecourse truetrack truetrackangle trackangle trackmadegood track cog direction headmot headingofmotion motionheading hdg azimuth richtung kurs koers cap rumbo direzione rotta',
    ),
  },
  accuracy: {
    quantity: 'length',
    names: words(
      'accuracy hacc horizontalaccuracy haccuracy accuracyhorizontal accuracyh posaccuracy positionaccuracy posacc locationaccuracy horizontalerror estimatedhorizontalerror positionerror eph epe ehpe hacc95 genauigkeit nauwkeurigkeit horizontalprecision',
    ),
  },
  /** 1 if the time is when the position arrived. */
  arrival: { quantity: 'none', names: words('atarrival') },
} as const satisfies Record<string, Names>

export type Role = keyof typeof columnNames

/** The name of a column, with what is written beside it. */
export interface ColumnName {
  /** Without unit, source and device: `Speed (m/s) *calc` is speed, `GPS_Latitude` and `GPS (Lat.) [deg]` are latitudes. */
  readonly plain: string
  /** With the unit after it: `time_s` is times. */
  readonly full: string
}

/** Reads the name of a column. */
export function columnName(cell: string): ColumnName {
  const name = cell
    .slice(0, longestName)
    .split('|', 1)
    .join()
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replace(/^(gps|gnss) *\((.*?)\)/, '$1 $2')
    .replace(/\(.*\)|\[.*\]|\{.*\}|<.*>|\*.*$/g, ' ')
    .replace(/[:,].*$/, ' ')
    .replace(/[nN]\/[sS]/, 'ns')
    .replace(/[eE]\/[wW]/, 'ew')
  const all = name.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')
  const source =
    all.length > 1 && /^(?:gps|gnss|gnssposition|loc|location|record)\d?$/.test(all[0] ?? '')
      ? 1
      : 0
  const own = all.slice(source)
  let end = own.length
  while (end > 1 && isUnitWord(own[end - 1] ?? '')) end -= 1
  return { full: own.join(''), plain: own.slice(0, end).join('') }
}

/** Returns how good a column's name is for a role: 0 is the best one, -1 is none of its names. */
export function rankOf(role: Role, { plain, full }: ColumnName): number {
  const { names }: Names = columnNames[role]
  const [whole, bare] = [names.indexOf(full), names.indexOf(plain)]
  return whole === -1 || bare === -1 ? Math.max(whole, bare) : Math.min(whole, bare)
}

function words(...lines: readonly string[]): readonly string[] {
  return lines.join(' ').split(' ')
}
