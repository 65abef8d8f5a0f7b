// Shows the questions that all filters let through.
"use strict";
const questions = [...document.querySelectorAll(".question")];
const filters = document.querySelector(".filters");
const texts = new Map();

function textOf(question) {
  if (!texts.has(question)) texts.set(question, question.textContent.toLowerCase());
  return texts.get(question);
}

function isWanted(question) {
  const words = filters.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const selects = [...filters.querySelectorAll("select")];
  return selects.every((s) => s.value === "" || s.value === question.dataset[s.name])
    && words.every((word) => textOf(question).includes(word));
}

function filter() {
  let shown = 0;
  for (const question of questions) {
    question.hidden = !isWanted(question);
    shown += question.hidden ? 0 : 1;
  }
  document.querySelector("#shown").textContent = `${shown} of ${questions.length} shown`;
}

filters.hidden = false;
filters.addEventListener("input", filter);
filters.addEventListener("submit", (event) => event.preventDefault());
filters.addEventListener("reset", () => setTimeout(filter));
filter();
