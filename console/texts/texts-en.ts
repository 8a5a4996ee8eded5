import own from '../locales/en.json'
import titles from 'virtual:titles/en'

export default { ...titles, console: own }
