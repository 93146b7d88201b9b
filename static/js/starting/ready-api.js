import { ApiError, send } from "../shared/api.js";

/** @returns {Promise<"ready"|"starting"|"unreachable">} what a server says of itself */
export async function requestReadiness() {
  try {
    await send("/readyz");
    return "ready";
  } catch (error) {
    const code = error instanceof ApiError ? error.problem.code : "";
    if (code === "unreachable") return "unreachable";
    // what fails for good is told by the page that was asked for
    return code === "workers-failing" ? "ready" : "starting";
  }
}
