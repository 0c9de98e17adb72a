/** The views that come after the first one, loaded together by `later.js`. */

export { spokenAnswer } from "./answer.js";
export { arrived, liveView } from "./live.js";
export { problemView } from "./notices.js";
export { queryTabs } from "./query_tabs.js";
export { resultView } from "./result.js";
export { schemaView } from "./schema.js";
export { toldOf } from "./told.js";
