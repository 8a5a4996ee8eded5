import own from '../locales/zh.json'
import titles from 'virtual:titles/zh'

export default { ...titles, console: own }
